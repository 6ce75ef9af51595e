import type { Connection } from '../connect.ts';
import { isOwnProcess } from '../own-session.ts';

/** How far the log of a server goes. */
export interface Point {
  /** Whose log it is: the cluster, the database in it, and the timeline, which every failover makes a new one of. */
  readonly history: string;
  /** Bytes from its beginning. */
  readonly position: number;
}

/** What a session of a server that replays the log of another tells of it. */
export interface ReplicaStatus extends Point {
  /** False once it was promoted: it replays nothing any more, and what it last replayed says nothing of it. */
  readonly replays: boolean;
  /** Another one whenever it was started anew, and for each server. */
  readonly life: string;
  /** Whether this session is of the server itself: a pooler's may lead anywhere. */
  readonly isOwn: boolean;
}

interface Session {
  query(sql: string): Promise<{ rows: unknown[] }>;
}

const historyOf = (timeline: string) =>
  `c.system_identifier || ' ' || current_database() || ' ' || ${timeline}`;

const TIMELINE = "('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int";

// A commit is answered once the log is flushed up to it; where operators have given that up, once it is in memory. The first
// eight digits of the log's file are its timeline. The value gives it a name, so that it is planned once.
const PRIMARY = `SELECT (CASE current_setting('synchronous_commit') WHEN 'off' THEN pg_current_wal_insert_lsn()
    ELSE pg_current_wal_flush_lsn() END - $1::pg_lsn)::bigint AS position,
  ${historyOf(TIMELINE)} AS history
FROM pg_control_system() c`;

// Its control file follows a new timeline late, at its next restartpoint; what was marked, as soon as it is replayed.
const REPLICA = `SELECT pg_is_in_recovery() AS replays, pg_postmaster_start_time()::text AS life,
  coalesce(pg_last_wal_replay_lsn() - '0/0', 0)::text AS position, pg_backend_pid() AS pid,
  ${historyOf(`greatest(p.timeline_id, r.min_recovery_end_timeline,
    (SELECT m.timeline FROM primary_timeline m WHERE m.cluster = c.system_identifier))`)} AS history
FROM pg_control_system() c, pg_control_checkpoint() p, pg_control_recovery() r`;

const REPLAYED =
  "SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::text END AS position";

/** How far the primary has answered commits by now. Rejects on a server that replays. */
export async function readPoint(primary: Connection): Promise<Point> {
  const [point] = await primary.query<Point>(PRIMARY, ['0/0']);
  return point as Point;
}

const MARK = `INSERT INTO primary_timeline AS m (cluster, timeline)
SELECT c.system_identifier, ${TIMELINE} FROM pg_control_system() c WHERE $1
ON CONFLICT (cluster) DO UPDATE SET timeline = excluded.timeline WHERE m.timeline <> excluded.timeline`;

/** Writes down on which timeline the primary is, so that those who replay it know that they are on it too. */
export async function markTimeline(primary: Connection): Promise<void> {
  await primary.query(MARK, [true]);
}

/** Asks a session what its server is and how far it has replayed. */
export async function readStatus(session: Session): Promise<ReplicaStatus> {
  const { rows } = await session.query(REPLICA);
  const { pid, position, ...row } = rows[0] as ReplicaStatus & { pid: number; position: string };
  return { ...row, position: Number(position), isOwn: isOwnProcess(session, pid) };
}

/** How far the session's server has replayed; null where it does not any more. */
export async function readReplayed(session: Session): Promise<number | null> {
  const { rows } = await session.query(REPLAYED);
  const { position } = rows[0] as { position: string | null };
  return position === null ? null : Number(position);
}
