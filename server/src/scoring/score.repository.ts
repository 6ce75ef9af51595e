import type { Connection } from '../database/connect.ts';
import { isWorthCopying } from '../database/copy-rows.ts';
import { withinTransaction } from '../database/transaction.ts';
import type { AcceptedScore } from './accept-score.ts';
import { copyFirstScores, type ScoreEntry } from './first-scores.repository.ts';
import { insertEvidence, SCORE_COLUMNS } from './score-evidence.condition.ts';
import { scoreRow } from './score-row.ts';

/** A stored score's identity: the subject and the database's time of the score, ISO 8601 with six decimals. */
export interface RecordedScore {
  subjectId: string;
  version: string;
}

// Subjects are locked in the order of their ids, so that two batches never wait for each other in a circle; their rows in
// the ranking come after them. It is a statement of its own: the next one then sees the rows as they are locked. In one statement the
// update would meet an older version of a row that somebody has changed meanwhile, and, while a foreign key's check still
// holds that version, queue for it behind others who wait for this same transaction.
const LOCK_SQL =
  'SELECT id, current_version IS NULL AS "isFirst" FROM subject WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE';

// The version never goes backwards, not even when the clock does.
const RECORD_SQL = `
WITH entry AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS e(subject_id uuid, ${SCORE_COLUMNS})),
advanced AS (
  UPDATE subject s SET current_version = greatest(ledger_now(), s.current_version + interval '1 microsecond')
  FROM entry WHERE s.id = entry.subject_id RETURNING s.id, s.current_version),
stored AS MATERIALIZED (SELECT entry.*, a.current_version AS version FROM advanced a JOIN entry ON entry.subject_id = a.id),
evidence AS (${insertEvidence('stored')}),
recorded AS (
  INSERT INTO score_version (subject_id, version, content, fresh_at)
  SELECT subject_id, version, content, fresh_at FROM stored RETURNING subject_id, version),
copied AS (
  UPDATE listing_rank k SET trust = r.trust, confidence = r.confidence, tier = r.tier, score_version = r.version,
    verdict = r.verdict, reasons = r.reasons
  FROM stored r WHERE k.subject_id = r.subject_id)
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
  const entries = scores.map((score) =>
    Object.assign({ subject_id: score.subjectId, subject_type: score.subjectType }, scoreRow(score)),
  );
  return withinTransaction(connection, async (locking) => {
    const ids = entries.map(({ subject_id }) => subject_id);
    const locked = await locking.query<{ id: string; isFirst: boolean }>(LOCK_SQL, [ids]);
    const firstOf = new Set(locked.filter(({ isFirst }) => isFirst).map(({ id }) => id));
    const first = entries.filter(({ subject_id }) => firstOf.has(subject_id));
    if (!isWorthCopying(locking, first)) return recordEntries(locking, entries);
    const versions = await copyFirstScores(locking, first);
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
