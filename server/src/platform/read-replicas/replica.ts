import type pg from 'pg';
import { type Connection, connect, type Database } from '../database/connect.ts';
import { errorCode } from '../database/database-errors.ts';
import { openPersistentSession, type PersistentSession } from '../database/persistent-session.ts';
import { ReplicaLease } from './replica-lease.ts';
import { type ReplicaStatus, readStatus, type WalPoint, WalPosition } from './wal-position.ts';

/** SQLSTATEs of a query that a recovery conflict or the statement timeout cancelled. The replica is healthy. */
const CANCELLED = /^(40001|40P01|57014)$/;

/** Returns true if only the statement failed, and not the replica. */
const isCancelled = (error: unknown): boolean => CANCELLED.test(errorCode(error)?.code ?? '');

/** Thrown if a pooler is in front of the server. */
class BehindPooler extends Error {
  override readonly name = 'BehindPooler';
}

/** Reason to stop using a replica: its server has been promoted to primary. */
class Promoted extends Error {
  override readonly name = 'Promoted';
}

/** Reason to stop using a replica: the session that reports its replayed position was lost. */
class SessionLost extends Error {
  override readonly name = 'SessionLost';
}

/** Thrown if a session of the pool is connected to another server than the monitored one. */
class OtherServer extends Error {
  override readonly name = 'OtherServer';

  constructor(address: string) {
    super(`${address} leads to several servers, or its server has restarted.`);
  }
}

/** Returns the code or the name of an error. Neither contains a statement or an address. */
function failureOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return errorCode(error)?.code ?? code ?? name;
}

/** Dependencies and settings of a replica. */
export interface ReplicaParts {
  readonly url: string;
  readonly poolSize: number;
  /** Database that executes the statements that failed on the replica. */
  readonly primary: Connection;
  readonly log: Log;
  /** Called when a statement runs on the primary instead of the replica. */
  onFallback(): void;
  /** Maximum time in milliseconds for which one read waits for data that is not replayed yet. */
  readonly maxWaitMs?: number;
}

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** Delay before a replica is used again after a failed statement or a lost session. */
const REST_MS = 1_000;
/**
 * Delay before an address that leads to a pooler is tried again. It is long, because such an address rarely changes
 * soon.
 */
const ASK_AGAIN_MS = 10_000;
/** Heartbeats in a row without an answer after which the session counts as dead: one second. */
const MAX_MISSED_HEARTBEATS = 5;
/** Pool acquire timeout and connect timeout. */
const ACQUIRE_TIMEOUT_MS = 1_000;

/**
 * Read replica and its pool of sessions. A separate monitoring session reports how much of the primary's log is
 * replayed. As long as this session lives, the replica has not restarted, and its position only grows. Requests use the
 * replica only after a test statement has succeeded, so that they do not wait for connections to an unavailable server.
 * Without the comparison of positions, `replicas.long.test.ts` fails.
 */
export class Replica {
  /** Host and port of the replica. */
  readonly address: string;
  readonly poolState: Database['poolState'];
  readonly #parts: ReplicaParts;
  readonly #pool: Database;
  readonly #replay: WalPosition;
  readonly #monitoring: PersistentSession;
  #monitor: pg.Client | null = null;
  #status: ReplicaStatus | null = null;
  #lease: ReplicaLease | null = null;
  #restsUntil = 0;
  #isTesting = false;
  #isOutageLogged = false;

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
    this.address = new URL(parts.url).host;
    this.#pool = connect(parts.url, {
      poolSize: parts.poolSize,
      readOnly: true,
      acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
      checkSession: (session) => this.#checkSession(session),
    });
    this.poolState = this.#pool.poolState;
    this.#replay = new WalPosition(parts.maxWaitMs);
    this.#monitoring = this.#openMonitor();
  }

  /**
   * Returns whether reads may use the replica (`ready`), it lags too much (`behind`), or it is unavailable (`away`).
   */
  status(): 'ready' | 'behind' | 'away' {
    if (this.#lease === null) return 'away';
    return this.#replay.isLagging ? 'behind' : 'ready';
  }

  /** Returns true if the replica is known to follow the primary's timeline. */
  followsTimeline({ timeline }: WalPoint): boolean {
    return this.#status?.timeline === timeline;
  }

  /** Returns the replayed position at the last check. */
  position(): number {
    return this.#replay.position;
  }

  /**
   * Returns a lease for reads that see everything committed up to a position. Returns null if the replica is not in
   * use, is on another timeline, or does not reach the position in time.
   */
  leaseAt(point: WalPoint): ReplicaLease | null | Promise<ReplicaLease | null> {
    if (this.#lease === null || !this.followsTimeline(point) || this.#replay.isLagging) return null;
    if (this.#replay.position >= point.position) return this.#lease;
    return this.#replay.waitFor(point.position).then((isThere) => (isThere ? this.#lease : null));
  }

  async close(): Promise<void> {
    await this.#monitoring.stop();
    await this.#pool.close();
  }

  #openMonitor(): PersistentSession {
    return openPersistentSession({
      url: this.#parts.url,
      applicationName: 'trust-directory replica',
      probe: async (session) => {
        const status = await readStatus(session);
        if (!status.isOwn) throw new BehindPooler();
        if (this.#monitor === session) this.#updateStatus(status);
        else this.#status = status;
      },
      onReady: (session) => {
        this.#monitor = session;
        this.#replay.follow(session);
        if (this.#status) this.#updateStatus(this.#status);
        void this.#tryUse();
      },
      onAnswer: () => void this.#tryUse(),
      onLost: (error) => {
        this.#monitor = null;
        this.#status = null;
        this.#replay.unfollow();
        this.#stopUsing(error ?? new SessionLost());
        this.#pool.renewSessions();
      },
      reconnectDelayMs: (error) => (error instanceof BehindPooler ? ASK_AGAIN_MS : REST_MS),
      maxMissedHeartbeats: MAX_MISSED_HEARTBEATS,
    });
  }

  /**
   * Rejects a new session of the pool that may be behind the monitored position, because its server is another one or
   * has restarted.
   */
  async #checkSession(session: pg.Client): Promise<void> {
    const [known, before] = [this.#replay.position, this.#status];
    const own = await readStatus(session);
    if (!own.isOwn || before === null || this.#status?.life !== own.life) throw new OtherServer(this.address);
    if (own.position < known) throw new OtherServer(this.address);
  }

  #updateStatus(status: ReplicaStatus): void {
    this.#status = status;
    if (!status.replays) this.#stopUsing(new Promoted());
    else this.#replay.advanceTo(status.position);
  }

  /** Starts using the replica after a test statement has succeeded. */
  async #tryUse(): Promise<void> {
    const session = this.#monitor;
    if (this.#lease !== null || this.#isTesting || session === null) return;
    // A promoted server still answers the heartbeat; each answer shows the promotion and extends the delay.
    if (performance.now() < this.#restsUntil) return;
    this.#isTesting = true;
    try {
      await this.#pool.query('SELECT 1');
      if (this.#monitor !== session) return;
      this.#lease = this.#newLease();
      this.#isOutageLogged = false;
      this.#parts.log.info({ replica: this.address }, 'a replica is in use');
    } catch (error) {
      this.#stopUsing(error);
    } finally {
      this.#isTesting = false;
    }
  }

  #stopUsing(error: unknown): void {
    this.#restsUntil = performance.now() + REST_MS;
    this.#logOutage(error);
    const last = this.#lease;
    this.#lease = null;
    last?.end(error);
    this.#replay.cancelWaits();
  }

  /** Logs that the replica is not in use, at most once until it is used again. */
  #logOutage(error: unknown): void {
    const fields = { replica: this.address, failure: failureOf(error) };
    if (!this.#isOutageLogged) this.#parts.log.warn(fields, 'a replica is not in use');
    this.#isOutageLogged = true;
  }

  #newLease(): ReplicaLease {
    const { primary, onFallback } = this.#parts;
    return new ReplicaLease({
      replica: this.#pool,
      primary,
      onFallback,
      onFailure: (error) => {
        // Other reads of this lease may have failed for the same reason. New reads get a new lease.
        if (isCancelled(error)) this.#lease = this.#newLease();
        else this.#stopUsing(error);
      },
    });
  }
}
