import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import type { Connection } from '../database/connect.ts';
import { isDirectSession } from '../database/with-session.ts';

/** Position of a server in the write-ahead log (WAL). */
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
 * Stores the primary's timeline in the database, so that replicas receive it with the replayed log. Without timelines,
 * `other-timeline.nightly.test.ts` fails.
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
async function readReplayed(session: Session): Promise<number | null> {
  const { rows } = await session.query(REPLAYED);
  const { position } = rows[0] as { position: string | null };
  return position === null ? null : Number(position);
}

const MAX_WAIT_MS = 50;
/** Interval between two checks of the position while a read waits. */
const STEP_MS = 2;

interface Waiting {
  readonly position: number;
  settle(isThere: boolean): void;
}

/**
 * Tracks how much of the primary's log (WAL) a replica has replayed, and lets reads wait for a position. Without the
 * comparison of positions, `replicas.long.test.ts` fails.
 */
export class WalPosition {
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<Waiting>();
  #session: pg.Client | null = null;
  #position = 0;
  /**
   * Position that the replica did not reach in time. Until it reaches this position, reads do not wait for the
   * replica.
   */
  #needed = 0;
  #isFollowing = false;

  /** `maxWaitMs` is the maximum wait of one read. */
  constructor(maxWaitMs = MAX_WAIT_MS) {
    this.#maxWaitMs = maxWaitMs;
  }

  /** Replayed position at the last check. */
  get position(): number {
    return this.#position;
  }

  /** True if the replica has not yet reached a position for which a read has waited in vain. */
  get isLagging(): boolean {
    return this.#position < this.#needed;
  }

  /**
   * Follows the server of this session. The position starts again at 0, because that of this server may be lower than
   * that of the previous server.
   */
  follow(session: pg.Client): void {
    this.#session = session;
    [this.#position, this.#needed] = [0, 0];
  }

  /** Stops following the session, which was lost. */
  unfollow(): void {
    this.#session = null;
  }

  advanceTo(position: number): void {
    this.#position = Math.max(this.#position, position);
  }

  /** Ends all waits as failed. */
  cancelWaits(): void {
    for (const each of [...this.#waiting]) each.settle(false);
  }

  /** Waits until a position is replayed. Resolves with false after `maxWaitMs`, or when the session is lost. */
  waitFor(position: number): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isThere: boolean) => {
        clearTimeout(timer);
        this.#waiting.delete(each);
        resolve(isThere);
      };
      const each: Waiting = { position, settle };
      const timer = setTimeout(() => {
        this.#needed = Math.max(this.#needed, position);
        settle(false);
      }, this.#maxWaitMs);
      this.#waiting.add(each);
      void this.#follow();
    });
  }

  /** Polls the position while a read waits. */
  async #follow(): Promise<void> {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    const session = this.#session;
    try {
      while (this.#waiting.size > 0 && session && this.#session === session) {
        const replayed = await readReplayed(session);
        // A promoted server replays no more log; the heartbeat of its session detects the promotion.
        if (this.#session !== session || replayed === null) break;
        this.advanceTo(replayed);
        for (const each of [...this.#waiting]) if (this.#position >= each.position) each.settle(true);
        if (this.#waiting.size > 0) await wait(STEP_MS);
      }
    } catch {
      // The session was lost, which the code that opened it detects.
    } finally {
      this.#isFollowing = false;
      this.cancelWaits();
    }
  }
}
