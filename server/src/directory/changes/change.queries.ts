import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';

/** Kinds of changes. `standing` is the distribution of scores in a category. */
export const CHANGE_KINDS = ['listing', 'score', 'verdict', 'advisory', 'removal', 'standing'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** One stored change. Of `subjectId` and `item`, at least one is set. */
export interface ChangeRow {
  /** Transaction of the change, an unsigned 64-bit number. */
  readonly xid: string;
  /** Orders the changes of one transaction. */
  readonly seq: string;
  readonly kind: ChangeKind;
  /** ISO 8601 with microseconds. */
  readonly at: string;
  readonly subjectId: string | null;
  readonly type: SubjectType | null;
  /** `AGT-` id of a removed listing, id of an advisory, or `type/category` of a standing; otherwise null. */
  readonly item: string | null;
  /**
   * Present state of the subject: `listed` (a listing), `found` (another subject that can be read), or `gone` (it can
   * no longer be read, or the change has no subject).
   */
  readonly state: 'listed' | 'found' | 'gone';
  /** `AGT-` id under which the subject was delisted; null if it was not. */
  readonly delistedId: string | null;
}

/**
 * Position of a reader: after the change `(xid, seq)`, in the history of the database cluster that wrote the watermark.
 */
export interface FeedPosition {
  readonly watermark: string;
  readonly xid: string;
  readonly seq: string;
}

interface FeedQuery {
  /** Position of a cursor; null to start at `since`, or at the oldest kept change. */
  readonly after: FeedPosition | null;
  /** ISO 8601; null for the oldest kept change. Ignored if `after` is set. */
  readonly since: string | null;
  readonly kinds: readonly ChangeKind[] | null;
  readonly type: SubjectType | null;
  /** Maximum changes to return. */
  readonly most: number;
}

/** Changes from one snapshot, in order. */
export interface ReadChanges {
  readonly rows: readonly ChangeRow[];
  /** Position after all published changes. */
  readonly end: FeedPosition;
  /** Position after the last change that was read, including changes that the filters excluded. */
  readonly last: FeedPosition;
  /**
   * False if some of the changes since the requested start have been deleted, or if this database does not know the
   * start.
   */
  readonly isKept: boolean;
}

/** Returns SQL for the field `state` of a `ChangeRow`: the present state of the subject with this id. */
export const subjectState = (id: string) =>
  `CASE WHEN EXISTS (SELECT FROM listing l WHERE l.subject_id = ${id}) THEN 'listed'
    WHEN EXISTS (SELECT FROM artifact a WHERE a.subject_id = ${id})
      OR EXISTS (SELECT FROM creator c WHERE c.subject_id = ${id} AND c.merged_into IS NULL)
      OR EXISTS (SELECT FROM platform_account p WHERE p.subject_id = ${id}) THEN 'found' ELSE 'gone' END`;

/** Maximum changes that one request reads to find those that pass its filters. */
const MAX_SCANNED = 10_000;

// The newest watermark bounds the read. It is written after all transactions below its horizon have ended, so it is
// later in the WAL than their commits. A reader that sees the watermark, on a replica or after a failover, therefore
// sees all of these changes. One statement checks the start and reads the changes, so that no deletion can happen in
// between. ledger_now() keeps the response out of the cache, because a new watermark does not invalidate cached
// responses.
const READ = `
WITH own AS MATERIALIZED (SELECT system_identifier AS cluster, ledger_now() AS read_at FROM pg_control_system()),
newest AS MATERIALIZED (SELECT w.id, w.horizon FROM change_watermark w WHERE w.cluster = (SELECT cluster FROM own)
  ORDER BY w.horizon DESC LIMIT 1),
oldest AS MATERIALIZED (SELECT w.horizon FROM change_watermark w WHERE w.cluster = (SELECT cluster FROM own)
  ORDER BY w.horizon LIMIT 1),
start AS MATERIALIZED (SELECT CASE
    WHEN $1::uuid IS NOT NULL THEN (SELECT $2::xid8 FROM change_watermark w, oldest
      WHERE w.id = $1::uuid AND w.cluster = (SELECT cluster FROM own) AND $2::xid8 >= oldest.horizon)
    WHEN $4::timestamptz IS NOT NULL THEN (SELECT w.horizon FROM change_watermark w
      WHERE w.written_at <= $4::timestamptz AND w.cluster = (SELECT cluster FROM own) ORDER BY w.written_at DESC LIMIT 1)
    ELSE (SELECT horizon FROM oldest) END AS xid, CASE WHEN $1::uuid IS NULL THEN 0 ELSE $3::bigint END AS seq),
scanned AS MATERIALIZED (SELECT c.* FROM change c
  WHERE (c.xid, c.seq) > ((SELECT xid FROM start), (SELECT seq FROM start)) AND c.xid < (SELECT horizon FROM newest)
  ORDER BY c.xid, c.seq LIMIT ${MAX_SCANNED}),
matched AS MATERIALIZED (SELECT c.*, s.type FROM scanned c LEFT JOIN subject s ON s.id = c.subject_id
  WHERE ($5::text[] IS NULL OR c.kind = ANY ($5::text[])) AND ($6::text IS NULL OR s.type = $6)
  ORDER BY c.xid, c.seq LIMIT $7::int)
SELECT newest.id AS watermark, newest.horizon::text AS horizon, (SELECT xid FROM start) IS NOT NULL AS "isKept",
  (SELECT count(*) FROM scanned) = ${MAX_SCANNED} OR (SELECT count(*) FROM matched) = $7::int AS "hasMore",
  (SELECT jsonb_build_array(p.xid::text, p.seq::text) FROM (SELECT xid, seq FROM scanned
    WHERE (SELECT count(*) FROM matched) < $7::int UNION ALL SELECT xid, seq FROM matched) AS p
    ORDER BY p.xid DESC, p.seq DESC LIMIT 1) AS last,
  (SELECT coalesce(jsonb_agg(jsonb_build_object('xid', m.xid::text, 'seq', m.seq::text, 'kind', m.kind, 'at', utc_text(m.at),
      'subjectId', m.subject_id, 'type', m.type, 'item', m.item,
      'state', ${subjectState('m.subject_id')},
      'delistedId', (SELECT d.agent_id FROM delisting d WHERE d.subject_id = m.subject_id AND d.relisted_at IS NULL))
      ORDER BY m.xid, m.seq), '[]') FROM matched m) AS rows
FROM newest, own`;

interface ReadRow {
  watermark: string;
  horizon: string;
  isKept: boolean;
  hasMore: boolean;
  last: [xid: string, seq: string] | null;
  rows: ChangeRow[];
}

/** Reads published changes after a position. Returns null if nothing was published yet. */
export async function readChanges(
  connection: Connection,
  { after, since, kinds, type, most }: FeedQuery,
): Promise<ReadChanges | null> {
  const bind = [
    ...[after?.watermark ?? null, after?.xid ?? null, after?.seq ?? null],
    ...[since, kinds, type, most],
  ];
  const [read] = await connection.query<ReadRow>(READ, bind);
  if (!read) return null;
  const { watermark, horizon, isKept, hasMore, last, rows } = read;
  const end = { watermark, xid: horizon, seq: '0' };
  const isWhole = !hasMore || last === null;
  return { rows, end, isKept, last: isWhole ? end : { watermark, xid: last[0], seq: last[1] } };
}

/** An advisory as the feed shows it. `modifiedAt` is null if the advisory is no longer stored. */
export interface ChangedAdvisory {
  readonly id: string;
  readonly modifiedAt: string | null;
  readonly isWithdrawn: boolean;
  /** Affected packages, such as `npm:name`. */
  readonly packages: readonly string[];
}

/** Loads advisories by id. Ids of deleted ones have no entry. */
export function loadAdvisories(connection: Connection, ids: readonly string[]): Promise<ChangedAdvisory[]> {
  return connection.query<ChangedAdvisory>(
    `SELECT a.id, utc_text(a.modified_at) AS "modifiedAt", a.withdrawn_at IS NOT NULL AS "isWithdrawn",
       ARRAY(SELECT DISTINCT p.ecosystem || ':' || p.package AS name FROM advisory_package p WHERE p.advisory_id = a.id ORDER BY name) AS packages
     FROM advisory a WHERE a.id = ANY ($1::text[] COLLATE "C")`,
    [ids],
  );
}

/** Distribution of the trust scores of one category. */
export interface CategoryDistribution {
  readonly type: 'agent' | 'skill';
  readonly category: string;
  /** The 99 percentiles of trust. */
  readonly bounds: readonly number[];
  readonly among: number;
  readonly countedAt: string;
}

/** Loads the distributions of all categories that have one. */
export function loadDistributions(connection: Connection): Promise<CategoryDistribution[]> {
  return connection.query<CategoryDistribution>(
    'SELECT type, category, bounds, among, utc_text(counted_at) AS "countedAt" FROM category_standing',
  );
}

// Watermarks of another cluster show that a dump was restored here. Its transaction ids are unrelated to those of this
// cluster.
const STATE = `SELECT bool_and(w.cluster = own.system_identifier) AS "isOwn",
  count(w.cluster) = 0 OR bool_or(w.is_newest AND EXISTS (SELECT FROM change c
    WHERE c.xid >= w.horizon AND c.xid < pg_snapshot_xmin(pg_current_snapshot()))) AS "isDue"
FROM pg_control_system() AS own LEFT JOIN LATERAL (
  (SELECT cluster, horizon, true AS is_newest FROM change_watermark ORDER BY horizon DESC LIMIT 1)
  UNION ALL (SELECT cluster, horizon, false FROM change_watermark ORDER BY horizon LIMIT 1)) AS w ON true`;

const WRITE_WATERMARK = `INSERT INTO change_watermark (horizon, cluster)
  SELECT pg_snapshot_xmin(pg_current_snapshot()), system_identifier FROM pg_control_system()`;

/**
 * Reads whether the watermarks belong to this cluster (null without any), and whether changes wait for the next
 * watermark.
 */
export async function readFeedState(
  connection: Connection,
): Promise<{ isOwn: boolean | null; isDue: boolean }> {
  const [state] = await connection.query<{ isOwn: boolean | null; isDue: boolean }>(STATE);
  return state ?? { isOwn: null, isDue: true };
}

/** Deletes all changes and watermarks. */
export async function clearFeed(connection: Connection): Promise<void> {
  await connection.query('DELETE FROM change_watermark');
  await connection.query('DELETE FROM change');
}

/** Writes a watermark whose horizon is the oldest open transaction. */
export async function writeWatermark(connection: Connection): Promise<void> {
  await connection.query(WRITE_WATERMARK);
}

/** Maximum rows that one statement deletes, so that it does not hold many locks. */
const MAX_DELETED = 5_000;

// Keeps the newest of the old watermarks. The cursors of readers that have read everything refer to it, even if nothing
// changes for a long time.
const DELETE_WATERMARKS = `DELETE FROM change_watermark w USING (SELECT horizon FROM change_watermark
    WHERE written_at < ledger_now() - $1 * interval '1 day' ORDER BY written_at DESC LIMIT 1) AS kept
  WHERE w.horizon < kept.horizon`;

/** Key of the advisory lock for deleting changes. */
const DELETION_LOCK = 7_202_720;

// One process deletes at a time: a DELETE locks rows in the order of its plan, so two of them could deadlock.
const DELETE_CHANGES = `WITH gone AS (DELETE FROM change WHERE (xid, seq) IN (SELECT xid, seq FROM change
    WHERE (SELECT pg_try_advisory_xact_lock(${DELETION_LOCK}))
      AND xid < (SELECT horizon FROM change_watermark ORDER BY horizon LIMIT 1) ORDER BY xid, seq LIMIT ${MAX_DELETED})
  RETURNING 1) SELECT count(*)::int AS rows FROM gone`;

/** Deletes watermarks that were written more than `days` ago, except the newest of them. */
export async function deleteOldWatermarks(connection: Connection, days: number): Promise<void> {
  await connection.query(DELETE_WATERMARKS, [days]);
}

/**
 * Deletes some of the changes below the oldest watermark. Returns their number; 0 if none is left, or if another process
 * is deleting them.
 */
export async function deleteUnreachable(connection: Connection): Promise<number> {
  const [deleted] = await connection.query<{ rows: number }>(DELETE_CHANGES);
  return deleted?.rows ?? 0;
}
