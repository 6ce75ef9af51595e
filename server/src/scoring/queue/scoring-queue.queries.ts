import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { METHOD } from '../embedded/current-method.ts';
import type { SubjectType } from '../subject-type.ts';

/**
 * Queues subjects or renews their entries, in id order, so that concurrent writers cannot deadlock. `own` says that the
 * subject's own facts have changed, not only scores that its score depends on.
 */
export async function insertQueueEntries(
  connection: Connection,
  notes: readonly { id: string; own: boolean }[],
): Promise<void> {
  await connection.query(
    `INSERT INTO score_due AS d (subject_id, own) SELECT id, bool_or(own)
     FROM unnest($1::uuid[], $2::boolean[]) AS s(id, own) GROUP BY id ORDER BY id ${RENEWED}`,
    [notes.map(({ id }) => id), notes.map(({ own }) => own)],
  );
}

const RENEWED = `ON CONFLICT (subject_id) DO UPDATE SET own = d.own OR excluded.own,
  noted_at = greatest(ledger_now(), d.noted_at + interval '1 microsecond')`;

// Reads only the newest version per subject. A join with the evidence, or a read without an order, would read the
// whole history.
const OVERTAKEN = `
WITH c AS MATERIALIZED (${batchRows('id uuid, since timestamptz, version timestamptz')})
INSERT INTO score_due AS d (subject_id, own) SELECT DISTINCT c.id, true FROM c
CROSS JOIN LATERAL (SELECT v.content FROM score_version v WHERE v.subject_id = c.id AND v.version > c.since AND v.ledger_id IS NULL
  ORDER BY v.version DESC LIMIT 1) later
LEFT JOIN score_version mine ON mine.subject_id = c.id AND mine.version = c.version
WHERE later.content IS DISTINCT FROM mine.content
ORDER BY 1 ${RENEWED}`;

/**
 * Queues each subject that was scored without a charge after `since` (ISO 8601), if the content of the newest such score
 * differs from that of the given version.
 */
export async function enqueueOvertaken(
  connection: Connection,
  subjects: readonly { id: string; since: string; version: string }[],
): Promise<void> {
  await connection.query(OVERTAKEN, [batchJson(subjects)]);
}

/**
 * Queues those subjects in `scores` that another process has scored with different content while this process scored
 * them: it is unknown which of the two scores has the newer facts. `seen` is the version that was current before this
 * process read the facts; null if there was none. Compares versions with each other, not with the clock, because the
 * clock may have been set back to before them. Returns the ids of the queued subjects.
 */
export async function enqueueConcurrentlyScored(
  connection: Connection,
  scores: readonly { subjectId: string; version: string; seen: string | null }[],
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `INSERT INTO score_due AS d (subject_id, own)
     SELECT DISTINCT s.subject_id, true FROM score_version s
     JOIN jsonb_to_recordset($1::jsonb) AS mine("subjectId" uuid, version timestamptz, seen timestamptz)
       ON mine."subjectId" = s.subject_id
     LEFT JOIN score_version m ON m.subject_id = mine."subjectId" AND m.version = mine.version
     WHERE s.version > coalesce(mine.seen, '-infinity') AND s.version <> mine.version
       AND s.content IS DISTINCT FROM m.content ORDER BY 1 ${RENEWED} RETURNING subject_id AS id`,
    [JSON.stringify(scores)],
  );
  return rows.map(({ id }) => id);
}

/**
 * A queue entry as it was read. `own` is true if the subject's own facts have changed. `notedAt` is the time of queuing
 * with six decimals, to detect a later change.
 */
export interface ScoringQueueEntry {
  id: string;
  own: boolean;
  notedAt: string;
}

/** Returns the queue entries of these subjects. Call it before reading the facts. */
export function readQueueEntries(
  connection: Connection,
  ids: readonly string[],
): Promise<ScoringQueueEntry[]> {
  return connection.query<ScoringQueueEntry>(
    `SELECT subject_id AS id, own, utc_text(noted_at) AS "notedAt" FROM score_due WHERE subject_id = ANY ($1::uuid[])`,
    [ids],
  );
}

/**
 * Dequeues the entries `notes` that are unchanged since they were read. Queues the children of all subjects in `notes`
 * whose own facts had changed.
 */
export async function dequeue(connection: Connection, notes: readonly ScoringQueueEntry[]): Promise<void> {
  if (notes.length === 0) return;
  await connection.query(
    `WITH settled AS MATERIALIZED (
       SELECT d.subject_id FROM score_due d JOIN jsonb_to_recordset($1::jsonb) AS n(id uuid, "notedAt" timestamptz)
         ON n.id = d.subject_id AND n."notedAt" = d.noted_at ORDER BY d.subject_id FOR UPDATE OF d)
     DELETE FROM score_due d USING settled WHERE d.subject_id = settled.subject_id`,
    [JSON.stringify(notes)],
  );
  const parents = notes.filter(({ own }) => own).map(({ id }) => id);
  if (parents.length === 0) return;
  await connection.query(
    `INSERT INTO score_due AS d (subject_id, own) SELECT subject_id, false FROM listing
     WHERE parent_id = ANY ($1::uuid[]) ORDER BY 1 ${RENEWED}`,
    [parents],
  );
}

/** Returns the creators of these listings, whose portfolios change with new scores of the listings. */
export async function creatorsOf(connection: Connection, listingIds: readonly string[]): Promise<string[]> {
  if (listingIds.length === 0) return [];
  const rows = await connection.query<{ id: string }>(
    'SELECT DISTINCT creator_id AS id FROM listing WHERE subject_id = ANY ($1::uuid[]) ORDER BY 1',
    [listingIds],
  );
  return rows.map(({ id }) => id);
}

// Pages by id (keyset) instead of OFFSET, which would skip rows when scored subjects leave the queue.
const PAGE_OF_DUE = `SELECT d.subject_id AS id FROM score_due d JOIN subject s ON s.id = d.subject_id
  WHERE s.type = ANY ($1::text[]) AND d.subject_id > $2::uuid ORDER BY 1 LIMIT $3::bigint`;

/**
 * Returns up to `count` ids of queued subjects of these types, in id order, after the id `after`. Returns all if
 * `count` is null.
 */
export async function pageOfQueue(
  connection: Connection,
  types: readonly SubjectType[],
  after: string,
  count: number | null,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(PAGE_OF_DUE, [types, after, count]);
  return rows.map(({ id }) => id);
}

/** Counts the subjects in the queue. */
export function countQueueEntries({ models, transaction }: Connection): Promise<number> {
  return models.ScoreDue.count({ transaction });
}

/**
 * Returns a random sample of subjects that were queued at least this many seconds ago. The random choice prevents
 * starvation: subjects that can never be scored would otherwise always come first.
 */
export async function sampleQueue(
  connection: Connection,
  count: number,
  afterSeconds: number,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT subject_id AS id FROM score_due WHERE noted_at <= ledger_now() - $2::int * interval '1 second'
     ORDER BY random() LIMIT $1`,
    [count, afterSeconds],
  );
  return rows.map(({ id }) => id);
}

/** Conditions by which a score is stale and must be computed again. */
interface StaleFilter {
  types: readonly SubjectType[];
  /** Source of the current backend. Scores of any other backend are stale. */
  source: string;
  /** Version of the embedded method. Null for a remote backend, whose scores are not stale because of their version. */
  methodVersion: string | null;
  /**
   * Scores older than this time (ISO 8601) are stale too. Null means no such limit; expired scores are stale in any
   * case.
   */
  before: string | null;
}

/**
 * Returns the ids of subjects that need a new score, in id order: subjects without a score, with an expired score,
 * with one of another backend or method version, with one older than `before`, and queued subjects. Leaves out
 * delisted subjects, which keep their score.
 */
export async function loadStale(
  connection: Connection,
  { types, source, methodVersion, before }: StaleFilter,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT s.id FROM subject s LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version
     WHERE s.type = ANY ($1::text[]) AND (v.version IS NULL OR v.source <> $2
       OR ($3::text IS NOT NULL AND v.method_version IS DISTINCT FROM $3)
       OR v.version <= ledger_now() - $4::int * interval '1 day' OR v.version < $5::timestamptz
       OR EXISTS (SELECT FROM score_due d WHERE d.subject_id = s.id))
       AND NOT EXISTS (SELECT FROM delisted_name n WHERE n.subject_id = s.id)
     ORDER BY s.id`,
    [types, source, methodVersion, METHOD.validForDays, before],
  );
  return rows.map(({ id }) => id);
}

/**
 * Begins a recompute of all scores in this scope and returns its start time (six decimals). If an earlier recompute of
 * the scope was interrupted, returns the start time of that one, so that it continues.
 */
export async function beginRecompute(connection: Connection, scope: string): Promise<string> {
  const [run] = await connection.query<{ startedAt: string }>(
    `INSERT INTO recompute_run (scope) VALUES ($1) ON CONFLICT (scope) DO UPDATE SET scope = excluded.scope
     RETURNING utc_text(started_at) AS "startedAt"`,
    [scope],
  );
  if (!run) throw new Error('the row of a recompute that has just begun is missing');
  return run.startedAt;
}

/** Marks the recompute of everything in this scope as complete. */
export async function endRecompute({ models, transaction }: Connection, scope: string): Promise<void> {
  await models.RecomputeRun.destroy({ where: { scope }, transaction });
}
