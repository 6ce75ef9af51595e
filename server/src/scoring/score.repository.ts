import type { Connection } from '../database/connect.ts';
import { isWorthCopying } from '../database/copy-rows.ts';
import { withinTransaction } from '../database/transaction.ts';
import type { AcceptedScore } from './accept-score.ts';
import { copyFirstScores, type ScoreEntry } from './first-scores.repository.ts';

/** A stored score's identity: the subject and the database's time of the score, ISO 8601 with six decimals. */
export interface RecordedScore {
  subjectId: string;
  version: string;
}

const ENTRY = `subject_id uuid, subject_type text, trust float8, confidence float8, lower_bound float8, tier text,
  status text, own_trust float8, own_confidence float8, coverage float8, source text, method_version text,
  freshness timestamptz, inputs_hash text, inputs jsonb, contributions jsonb, caps jsonb`;

// Subjects are locked in the order of their ids, so that two batches never wait for each other in a circle; their rows in
// the ranking come after them. It is a statement of its own: the next one then sees the rows as they are locked. In one statement the
// update would meet an older version of a row that somebody has changed meanwhile, and, while a foreign key's check still
// holds that version, queue for it behind others who wait for this same transaction.
const LOCK_SQL =
  'SELECT id, current_version IS NULL AS "isFirst" FROM subject WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE';

// The version never goes backwards, not even when the clock does.
const RECORD_SQL = `
WITH entry AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS e(${ENTRY})),
advanced AS (
  UPDATE subject s SET current_version = greatest(ledger_now(), s.current_version + interval '1 microsecond')
  FROM entry WHERE s.id = entry.subject_id RETURNING s.id, s.current_version),
recorded AS (
  INSERT INTO score (subject_id, version, subject_type, trust, confidence, lower_bound, tier, status, own_trust,
    own_confidence, coverage, source, method_version, freshness, inputs_hash, inputs, contributions, caps)
  SELECT a.id, a.current_version, e.subject_type, e.trust, e.confidence, e.lower_bound, e.tier, e.status, e.own_trust,
    e.own_confidence, e.coverage, e.source, e.method_version, e.freshness, e.inputs_hash, e.inputs, e.contributions, e.caps
  FROM advanced a JOIN entry e ON e.subject_id = a.id
  RETURNING subject_id, version, trust, confidence, tier),
copied AS (
  UPDATE listing_rank k SET trust = r.trust, confidence = r.confidence, tier = r.tier, score_version = r.version
  FROM recorded r WHERE k.subject_id = r.subject_id)
SELECT subject_id AS "subjectId", utc_text(version) AS version FROM recorded ORDER BY subject_id`;

/**
 * Stores a batch of accepted scores, all or none: a new version of each subject, its score with inputs
 * and contributions, and the listing's place in the ranking. Versions of a subject strictly increase, no matter who else records it.
 */
export async function recordScores(
  connection: Connection,
  scores: readonly AcceptedScore[],
): Promise<RecordedScore[]> {
  if (scores.length === 0) return [];
  if (new Set(scores.map(({ subjectId }) => subjectId)).size < scores.length) {
    throw new Error('a batch of scores holds one subject twice');
  }
  const entries = scores.map(({ subjectId, subjectType, record }) => ({
    subject_id: subjectId,
    subject_type: subjectType,
    ...record,
  }));
  return withinTransaction(connection, async (locking) => {
    const ids = entries.map(({ subject_id }) => subject_id);
    const locked = await locking.query<{ id: string; isFirst: boolean }>(LOCK_SQL, [ids]);
    const firstOf = new Set(locked.filter(({ isFirst }) => isFirst).map(({ id }) => id));
    const first = entries.filter(({ subject_id }) => firstOf.has(subject_id));
    if (!isWorthCopying(locking, first)) return recordEntries(locking, entries);
    const versions = await copyFirstScores(locking, ENTRY, first);
    const later = entries.filter(({ subject_id }) => !firstOf.has(subject_id));
    const recorded = [
      ...[...versions].map(([subjectId, version]) => ({ subjectId, version })),
      ...(await recordEntries(locking, later)),
    ];
    return recorded.sort((a, b) => (a.subjectId < b.subjectId ? -1 : 1));
  });
}

async function recordEntries(
  connection: Connection,
  entries: readonly ScoreEntry[],
): Promise<RecordedScore[]> {
  return entries.length === 0 ? [] : connection.query<RecordedScore>(RECORD_SQL, [JSON.stringify(entries)]);
}

/** Now, ISO 8601 with six decimals, by the clock that versions are read from. */
export async function readDatabaseTime(connection: Connection): Promise<string> {
  const [row] = await connection.query<{ now: string }>('SELECT utc_text(ledger_now()) AS now');
  if (!row) throw new Error('the database tells no time');
  return row.now;
}
