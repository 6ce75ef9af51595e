import { OPERATIONS } from '../../access/plans/plans.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { isOfKind } from './ledger.sql.ts';

const OPERATION_NAMES = OPERATIONS.map((name) => `('${name}')`).join(', ');

/** Selects the cut-off, the time $1 days ago: buckets whose period ended earlier count as closed. */
const CLOSED_BEFORE = 'SELECT utc_text(ledger_now() - make_interval(days => $1::int)) AS moment';

/**
 * Returns the key (account, id) of the bucket at which the next key range ends: the range starts after ($1, $2) and
 * contains up to $3 buckets. No row if none remain.
 */
const BUCKET_AFTER = `SELECT account_id AS first, id::text AS second, count(*) OVER ()::int AS rows FROM (
  SELECT account_id, id FROM credit_bucket WHERE (account_id, id) > ($1::uuid, $2::bigint) ORDER BY account_id, id LIMIT $3) b
  ORDER BY account_id DESC, id DESC LIMIT 1`;

/**
 * Returns the key (subject, content) of the evidence at which the next key range ends: the range starts after ($1, $2)
 * and contains up to $3 evidence contents. No row if none remain.
 */
const CONTENT_AFTER = `SELECT subject_id AS first, content AS second, count(*) OVER ()::int AS rows FROM (
  SELECT subject_id, content FROM score_evidence WHERE (subject_id, content) > ($1::uuid, $2::uuid)
  ORDER BY subject_id, content LIMIT $3) e ORDER BY subject_id DESC, content DESC LIMIT 1`;

/**
 * Counts the buckets and evidence contents, which are the rows that an archive run examines. Progress is shown relative
 * to this number.
 */
const ROWS =
  'SELECT (SELECT count(*) FROM credit_bucket)::float8 + (SELECT count(*) FROM score_evidence) AS rows';

/**
 * Selects `closed` and `sound`.
 * - `closed`: the buckets of the key range that ended before $5 and are not archived.
 * - `sound`: the closed buckets that have no open runs and whose total, used and held amounts equal the sums of their
 *   entries and runs. Their rows have the values for the roll-up entry.
 * - A run is reserved during its bucket's period, or less than a minute after it. The query therefore reads only this
 *   time range of the account's runs, by an index.
 * - Ledger entries that change no total are kept.
 */
const buckets = (lock: string) => `
closed AS MATERIALIZED (SELECT b.* FROM credit_bucket b
  WHERE (b.account_id, b.id) > ($1::uuid, $2::bigint) AND (b.account_id, b.id) <= ($3::uuid, $4::bigint)
    AND b.archived_at IS NULL AND b.valid_to < $5::timestamptz
  ORDER BY b.account_id, b.prio, b.valid_to, b.id ${lock}),
sound AS MATERIALIZED (SELECT b.account_id, b.id, b.total, b.used, given.entries FROM closed b
  CROSS JOIN LATERAL (SELECT coalesce(sum(d_total), 0) AS total, coalesce(sum(d_used), 0) AS used, coalesce(sum(d_held), 0) AS held,
      jsonb_agg(to_jsonb(e) - '{account_id,bucket_id}'::text[] ORDER BY at, kind, d_total, note) AS entries
    FROM bucket_entry e WHERE e.account_id = b.account_id AND e.bucket_id = b.id AND e.d_total <> 0) given
  CROSS JOIN LATERAL (SELECT coalesce(sum(amount), 0) AS used FROM (VALUES ${OPERATION_NAMES}) each (operation)
    JOIN ended_run r ON ${isOfKind('r', 'b.account_id', 'each.operation', "'settled'")}
    WHERE r.bucket_id = b.id AND r.created_at >= b.valid_from AND r.created_at < b.valid_to + interval '1 minute') spent
  WHERE (b.total, b.used, b.held) = (given.total, given.used + spent.used, given.held) AND b.held = 0
    AND NOT EXISTS (SELECT FROM open_run o WHERE o.bucket_id = b.id AND o.account_id = b.account_id))`;

const FOUND_BUCKETS = `SELECT (SELECT count(*) FROM closed)::int AS closed, (SELECT count(*) FROM sound)::int AS archived`;

/** Counts what `ARCHIVE_BUCKETS` would archive. */
const COUNT_BUCKETS = `WITH ${buckets('')} ${FOUND_BUCKETS}`;

/**
 * Replaces the entries of closed buckets by one roll-up entry each, in one atomic statement. A trigger checks
 * afterwards that the roll-up entry contains every deleted entry. A bucket that another process archived in the
 * meantime is no longer `closed` after the lock wait; all sums come from one snapshot.
 */
const ARCHIVE_BUCKETS = `WITH ${buckets('FOR NO KEY UPDATE')},
gone AS (DELETE FROM bucket_entry e USING sound s
  WHERE e.account_id = s.account_id AND e.bucket_id = s.id AND e.d_total <> 0),
carry AS (INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total, d_used, note)
  SELECT account_id, id, 'carry', total, used, coalesce(entries, '[]')::text FROM sound),
done AS (UPDATE credit_bucket b SET archived_at = ledger_now() FROM sound s WHERE b.account_id = s.account_id AND b.id = s.id)
${FOUND_BUCKETS}`;

/**
 * Maximum evidence contents in one row of `score_archive` (a part). To read one content, PostgreSQL reads the whole
 * part.
 */
const MAX_CONTENTS_PER_PART = 64;

/** Minimum old evidence contents of a subject; fewer are not packed, because packing one saves no space. */
const MIN_CONTENTS_PER_PART = 2;

/**
 * Selects `old`: evidence contents of the key range that are not archived yet and that neither a score since $5 nor a
 * current score uses. Leaves out subjects that have fewer than `MIN_CONTENTS_PER_PART` such contents. Numbers the
 * parts, each of which stores several contents together.
 */
const contents = (lock: string) => `
fresh AS MATERIALIZED (
  SELECT subject_id, content FROM score_version WHERE subject_id >= $1::uuid AND subject_id <= $3::uuid AND version >= $5::timestamptz
  UNION
  SELECT v.subject_id, v.content FROM subject s JOIN score_version v ON v.subject_id = s.id AND v.version = s.current_version
  WHERE s.id >= $1::uuid AND s.id <= $3::uuid),
large AS MATERIALIZED (SELECT e.subject_id, e.content, e.inputs, e.contributions, e.caps FROM score_evidence e
  WHERE (e.subject_id, e.content) > ($1::uuid, $2::uuid) AND (e.subject_id, e.content) <= ($3::uuid, $4::uuid)
    AND e.archived_in IS NULL AND (e.inputs, e.contributions, e.caps) <> ('{}'::jsonb, '[]'::jsonb, '[]'::jsonb)
    AND NOT EXISTS (SELECT FROM fresh f WHERE f.subject_id = e.subject_id AND f.content = e.content)
  ${lock}),
old AS MATERIALIZED (SELECT * FROM (SELECT l.*, count(*) OVER (PARTITION BY l.subject_id) AS together,
      coalesce((SELECT max(a.part) FROM score_archive a WHERE a.subject_id = l.subject_id), 0) + 1
        + ((row_number() OVER (PARTITION BY l.subject_id ORDER BY l.content) - 1) / ${MAX_CONTENTS_PER_PART})::int AS part
    FROM large l) l WHERE together >= ${MIN_CONTENTS_PER_PART})`;

const FOUND_CONTENTS = 'SELECT count(*)::int AS archived FROM old';

/** Counts what `ARCHIVE_CONTENTS` would archive. */
const COUNT_CONTENTS = `WITH ${contents('')} ${FOUND_CONTENTS}`;

/**
 * Moves the large columns of old evidence contents into shared parts, in one atomic statement. A trigger then checks
 * that the part contains the moved columns. A later score with the same evidence reads it from the part, so that no
 * score lacks its evidence.
 */
const ARCHIVE_CONTENTS = `WITH ${contents('FOR NO KEY UPDATE')},
made AS (INSERT INTO score_archive (subject_id, part, details)
  SELECT subject_id, part, jsonb_object_agg(content, jsonb_build_object('inputs', inputs, 'contributions', contributions, 'caps', caps))
  FROM old GROUP BY subject_id, part),
done AS (UPDATE score_evidence e SET inputs = '{}', contributions = '[]', caps = '[]', archived_in = old.part FROM old
  WHERE e.subject_id = old.subject_id AND e.content = old.content)
${FOUND_CONTENTS}`;

/** Result of an archive run; after a dry run, what a run would have done. */
export interface ArchiveReport {
  /**
   * Cut-off: buckets that ended before it count as closed. Evidence is packed if neither a later score nor a current
   * one uses it.
   */
  before: string;
  /** Number of buckets whose entries were replaced by a roll-up entry. */
  buckets: number;
  /**
   * Number of closed buckets that were skipped because a run is open, or the bucket differs from the sum of its entries
   * and runs.
   */
  skipped: number;
  /** Number of evidence contents whose large columns were moved into shared parts. */
  contents: number;
  /** False if the archive run was stopped early; the next run archives the rest. */
  finished: boolean;
}

export interface ArchiveOptions {
  /**
   * Minimum age in days: of a bucket, since its period ended; of a score, since it was stored. One day is already far
   * longer than any lease or clock difference.
   */
  closedForDays: number;
  /** Reports what would be archived, without archiving it. */
  dryRun?: boolean;
  /** Stops after the current batch. */
  signal?: AbortSignal;
  /** Called after each batch with the number of rows it examined. */
  onRows?: (rows: number) => void;
  /** Maximum number of rows that a batch examines. */
  rowsAtOnce?: number;
}

const LEAST_ID = '00000000-0000-0000-0000-000000000000';
const ROWS_AT_ONCE = 500;

/** Archives buckets first, then evidence contents. Each stage visits every row once. */
const STAGES = [
  { after: BUCKET_AFTER, least: '0', count: COUNT_BUCKETS, archive: ARCHIVE_BUCKETS, what: 'buckets' },
  {
    after: CONTENT_AFTER,
    least: LEAST_ID,
    count: COUNT_CONTENTS,
    archive: ARCHIVE_CONTENTS,
    what: 'contents',
  },
] as const;

/**
 * Replaces the entries of closed buckets by roll-up entries and packs the evidence of old scores. Archives each batch
 * in one statement. The archive run can be stopped or killed at any point and started again. Calls wait at most for one
 * batch.
 */
export async function archive(
  connection: Connection,
  { closedForDays, dryRun = false, signal, onRows, rowsAtOnce = ROWS_AT_ONCE }: ArchiveOptions,
): Promise<ArchiveReport> {
  const [closed] = await connection.query<{ moment: string }>(CLOSED_BEFORE, [closedForDays]);
  const before = closed?.moment ?? '';
  const report: ArchiveReport = { before, buckets: 0, skipped: 0, contents: 0, finished: false };
  for (const { after, least, count, archive: work, what } of STAGES) {
    let position: [string, string] = [LEAST_ID, least];
    for (;;) {
      if (signal?.aborted) return report;
      const [end] = await connection.query<LastKey>(after, [...position, rowsAtOnce]);
      if (!end) break;
      const keyRange = [...position, end.first, end.second, before];
      const [batch] = await connection.query<Batch>(dryRun ? count : work, keyRange);
      report[what] += batch?.archived ?? 0;
      report.skipped += batch?.closed === undefined ? 0 : batch.closed - batch.archived;
      onRows?.(end.rows);
      position = [end.first, end.second];
    }
  }
  return { ...report, finished: true };
}

interface LastKey {
  first: string;
  second: string;
  rows: number;
}

interface Batch {
  archived: number;
  closed?: number;
}

/** Counts the rows that `onRows` will report in total. */
export async function countRows(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ rows: number }>(ROWS);
  return row?.rows ?? 0;
}
