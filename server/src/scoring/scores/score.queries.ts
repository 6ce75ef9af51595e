import type { Connection } from '../../platform/database/connect.ts';
import { copyRows, isWorthCopying } from '../../platform/database/copy-rows.ts';
import { withinTransaction } from '../../platform/database/transaction.ts';
import type { VerdictInput } from '../verdict/verdict.ts';
import type { AcceptedScore } from './accept-score.ts';
import { EVIDENCE_COLUMNS, insertEvidence, SCORE_COLUMNS, scoreRow } from './score-evidence.fragment.ts';

const VERSION_COLUMNS = 'subject_id uuid, version timestamptz, content uuid, fresh_at timestamptz';

/** A score as a database row, by column names. */
type ScoreEntry = Readonly<Record<string, unknown>> & { readonly subject_id: string };

// Array parameters keep one prepared statement for every batch size. Unlike RECORD_SQL, this needs no `greatest` to keep
// versions increasing, because these subjects have no earlier version.
const BEGIN_VERSIONS = `UPDATE subject SET current_version = ledger_now() WHERE id = ANY ($1::uuid[])
  RETURNING id, utc_text(current_version) AS version`;

// Array parameters keep one prepared statement for every batch size.
const RANK = `UPDATE listing_rank k SET trust = r.trust, confidence = r.confidence, tier = r.tier, score_version = r.version,
    verdict = r.verdict, reasons = string_to_array(r.reasons, ' ')
  FROM unnest($1::uuid[], $2::timestamptz[], $3::float8[], $4::float8[], $5::text[], $6::text[], $7::text[])
    AS r(id, version, trust, confidence, tier, verdict, reasons)
  WHERE k.subject_id = r.id`;

/**
 * Stores many first scores of subjects by COPY and returns their versions by subject. The caller has locked the
 * subjects and checked that they have no version, so that no evidence of them exists either.
 */
async function copyFirstScores(
  connection: Connection,
  entries: readonly ScoreEntry[],
): Promise<Map<string, string>> {
  const begun = await connection.query<{ id: string; version: string }>(BEGIN_VERSIONS, [
    entries.map(({ subject_id }) => subject_id),
  ]);
  const versions = new Map(begun.map(({ id, version }) => [id, version]));
  const rows = entries.map((entry) => Object.assign({}, entry, { version: versions.get(entry.subject_id) }));
  await copyRows(connection, 'score_evidence', `subject_id uuid, ${EVIDENCE_COLUMNS}`, rows);
  await copyRows(connection, 'score_version', VERSION_COLUMNS, rows);
  const column = (name: string) => rows.map((row) => (row as ScoreEntry)[name]);
  const reasons = column('reasons').map((codes) => (codes as readonly string[]).join(' '));
  const figures = ['subject_id', 'version', 'trust', 'confidence', 'tier', 'verdict'].map(column);
  await connection.query(RANK, [...figures, reasons]);
  return versions;
}

/** Identifies a stored score by its subject and the database's time of the score (ISO 8601, six decimals). */
export interface RecordedScore {
  subjectId: string;
  version: string;
}

// Locks the subjects in id order, so that two batches cannot deadlock. RECORD_SQL then locks their rows of
// `listing_rank`. The subjects are locked in a separate statement, so that RECORD_SQL takes its snapshot after the wait
// for the locks and sees current rows. A single statement would start from a row version that another transaction has
// just replaced. If a foreign key check still locks that version, the statement would wait for transactions that wait
// for this one.
const LOCK_SQL =
  'SELECT id, current_version IS NULL AS "isFirst" FROM subject WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE';

// Versions of a subject strictly increase, even if the clock is set back.
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
 * Locks the subjects of several batches in id order. Call it before a transaction stores several batches: each batch
 * locks its own subjects, so that the locks of the transaction would otherwise not be in id order and could deadlock.
 */
export async function lockScoredSubjects(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<void> {
  await connection.query(LOCK_SQL, [subjectIds]);
}

/**
 * Stores a batch of accepted scores, all or none: a new version of each subject, its score with inputs and
 * contributions, and the score's figures in the subject's row of `listing_rank` if it has one. Versions of a subject
 * strictly increase, even with concurrent writers. Throws an Error if the batch contains a subject twice.
 */
export async function recordScores(
  connection: Connection,
  scores: readonly AcceptedScore[],
): Promise<RecordedScore[]> {
  if (scores.length === 0) return [];
  if (new Set(scores.map(({ subjectId }) => subjectId)).size < scores.length) {
    throw new Error('a batch of scores contains the same subject twice');
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

/** Returns the current score version (ISO 8601, six decimals) of each of these subjects that has one, by subject id. */
export async function readCurrentVersions(
  connection: Connection,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await connection.query<{ id: string; version: string }>(
    `SELECT id, utc_text(current_version) AS version FROM subject
     WHERE id = ANY ($1::uuid[]) AND current_version IS NOT NULL`,
    [ids],
  );
  return new Map(rows.map(({ id, version }) => [id, version]));
}

/**
 * Returns the data from which the verdict on a subject's current score is derived; null if the subject has no score.
 */
export async function findVerdictInput(
  connection: Connection,
  subjectId: string,
): Promise<VerdictInput | null> {
  // Raw SQL: `score` is a view.
  const [score] = await connection.query<VerdictInput>(
    `SELECT v.confidence, v.contributions, v.caps, v.inputs -> 'facts' AS facts, v.inputs ->> 'now' AS "factsAt"
     FROM subject s JOIN score v ON v.subject_id = s.id AND v.version = s.current_version WHERE s.id = $1`,
    [subjectId],
  );
  return score ?? null;
}
