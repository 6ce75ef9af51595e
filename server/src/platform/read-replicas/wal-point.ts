import type { Connection } from '../database/connect.ts';
import { isDirectSession } from '../database/with-session.ts';

/** Log position of a server. */
export interface WalPoint {
  /** Identity of the log: cluster, database and timeline. Every failover creates a new timeline. */
  readonly timeline: string;
  /** Bytes from the beginning of the log. */
  readonly position: number;
}

/** Status of a replica, as one of its sessions reports it. */
export interface ReplicaStatus extends WalPoint {
  /** False after promotion: the replayed position is then meaningless. */
  readonly replays: boolean;
  /** Start time of the server, which changes with every restart. */
  readonly life: string;
  /** True if the session is connected directly. Behind a pooler it may lead to any server. */
  readonly isOwn: boolean;
}

interface Session {
  query(sql: string): Promise<{ rows: unknown[] }>;
}

const walIdentity = (timeline: string) =>
  `c.system_identifier || ' ' || current_database() || ' ' || ${timeline}`;

const TIMELINE = "('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int";

// A commit is confirmed once the log is flushed up to it; with synchronous_commit off, once it is in memory. The first
// eight digits of the log file name are the timeline. The statement takes a value, so that it gets a name and is
// planned once.
const PRIMARY = `SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
    ELSE pg_current_wal_flush_lsn() END - $1::pg_lsn)::bigint AS position,
  ${walIdentity(TIMELINE)} AS timeline
FROM pg_control_system() c`;

// The control file of a replica shows a new timeline late, at the replica's next restartpoint. The timeline that the
// primary stores arrives earlier, with the replayed log.
const REPLICA = `SELECT pg_is_in_recovery() AS replays, pg_postmaster_start_time()::text AS life,
  coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::text AS position, pg_backend_pid() AS pid,
  ${walIdentity(`greatest(p.timeline_id, r.min_recovery_end_timeline,
    (SELECT m.timeline FROM primary_timeline m WHERE m.cluster = c.system_identifier))`)} AS timeline
FROM pg_control_system() c, pg_control_checkpoint() p, pg_control_recovery() r`;

const REPLAYED =
  "SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::text END AS position";

/** Reads the position up to which the primary has confirmed commits. Rejects on a replica. */
export async function readPoint(primary: Connection): Promise<WalPoint> {
  const [point] = await primary.query<WalPoint>(PRIMARY, ['0/0']);
  return point as WalPoint;
}

const MARK = `INSERT INTO primary_timeline AS m (cluster, timeline)
SELECT c.system_identifier, ${TIMELINE} FROM pg_control_system() c WHERE $1
ON CONFLICT (cluster) DO UPDATE SET timeline = excluded.timeline WHERE m.timeline <> excluded.timeline`;

/**
 * Stores the primary's timeline, so that replicas learn it with the log. Without timelines, `other-timeline.db.test.ts`
 * fails.
 */
export async function markTimeline(primary: Connection): Promise<void> {
  await primary.query(MARK, [true]);
}

/** Reads the identity of a session's server and its replayed position. */
export async function readStatus(session: Session): Promise<ReplicaStatus> {
  const { rows } = await session.query(REPLICA);
  const { pid, position, ...row } = rows[0] as ReplicaStatus & { pid: number; position: string };
  return { ...row, position: Number(position), isOwn: isDirectSession(session, pid) };
}

/** Reads the replayed position of a session's server; null if it has been promoted. */
export async function readReplayed(session: Session): Promise<number | null> {
  const { rows } = await session.query(REPLAYED);
  const { position } = rows[0] as { position: string | null };
  return position === null ? null : Number(position);
}
