import type pg from 'pg';
import { type Connection, connect, type Database } from '../connect.ts';
import { type KeptSession, keepSession } from '../keep-session.ts';
import { Replay } from './replay.ts';
import { failureOf, isCancelled, Lost, NotOurs, OtherServer, Promoted } from './replica-errors.ts';
import { type Point, type ReplicaStatus, readStatus } from './server-point.ts';
import { Stint } from './stint.ts';

/** What a replica is made of. */
export interface ReplicaParts {
  readonly url: string;
  readonly poolSize: number;
  /** Where its statements go when they fail. */
  readonly primary: Connection;
  readonly log: Log;
  /** A statement went to the primary in its place. */
  onRetreat(): void;
  /** How long one read waits for what it has not replayed yet. */
  readonly patienceMs?: number;
}

interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** How long a replica whose statements fail is left alone, and one whose session does. */
const REST_MS = 1_000;
/** Where the address leads to a pooler, it will not lead elsewhere soon. */
const ASK_AGAIN_MS = 10_000;
/** Pulses: a second. */
const MOST_SILENT = 5;
/** So long a statement waits for a session, and that for its connection. */
const ACQUIRE_TIMEOUT_MS = 1_000;

/**
 * A server that replays what the primary writes, and the sessions on it. A session of its own tells how far it has replayed;
 * while that one lives, the server was not started anew, and has gone forwards only. No request ever waits for a connection to
 * a server that is away.
 */
export class Replica {
  /** Its host and port. */
  readonly address: string;
  readonly poolState: Database['poolState'];
  readonly #parts: ReplicaParts;
  readonly #pool: Database;
  readonly #replay: Replay;
  readonly #keeping: KeptSession;
  #line: pg.Client | null = null;
  #told: ReplicaStatus | null = null;
  #stint: Stint | null = null;
  #restsUntil = 0;
  #isEntering = false;
  #isToldOut = false;

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
    this.address = new URL(parts.url).host;
    this.#pool = connect(parts.url, {
      poolSize: parts.poolSize,
      readOnly: true,
      acquireTimeoutMs: ACQUIRE_TIMEOUT_MS,
      judgeSession: (session) => this.#judge(session),
    });
    this.poolState = this.#pool.poolState;
    this.#replay = new Replay(parts.patienceMs);
    this.#keeping = this.#keepLine();
  }

  /** Whether it can be read from, is further behind than anybody waits, or is away. */
  status(): 'ready' | 'behind' | 'away' {
    if (this.#stint === null) return 'away';
    return this.#replay.isBehind ? 'behind' : 'ready';
  }

  /** Whether it is known to replay what the primary writes on this timeline. */
  shares({ history }: Point): boolean {
    return this.#told?.history === history;
  }

  /** How far it had replayed when it was last asked. */
  position(): number {
    return this.#replay.position;
  }

  /** Where all is found that was committed up to there; null where that takes too long. */
  reach(point: Point): Stint | null | Promise<Stint | null> {
    if (this.#stint === null || !this.shares(point) || this.#replay.isBehind) return null;
    if (this.#replay.position >= point.position) return this.#stint;
    return this.#replay.until(point.position).then((isThere) => (isThere ? this.#stint : null));
  }

  async close(): Promise<void> {
    await this.#keeping.stop();
    await this.#pool.close();
  }

  #keepLine(): KeptSession {
    return keepSession({
      url: this.#parts.url,
      applicationName: 'trust-directory replica',
      ask: async (session) => {
        const status = await readStatus(session);
        if (!status.isOwn) throw new NotOurs();
        if (this.#line === session) this.#note(status);
        else this.#told = status;
      },
      onReady: (session) => {
        this.#line = session;
        this.#replay.begin(session);
        if (this.#told) this.#note(this.#told);
        void this.#enter();
      },
      onAnswer: () => void this.#enter(),
      onLost: (error) => {
        this.#line = null;
        this.#told = null;
        this.#replay.end();
        this.#leave(error ?? new Lost());
        this.#pool.renewSessions();
      },
      restMs: (error) => (error instanceof NotOurs ? ASK_AGAIN_MS : REST_MS),
      mostSilent: MOST_SILENT,
    });
  }

  /** Refuses a session that may know less than was told: of another server, or of one that began anew since. */
  async #judge(session: pg.Client): Promise<void> {
    const [known, before] = [this.#replay.position, this.#told];
    const own = await readStatus(session);
    if (!own.isOwn || before === null || this.#told?.life !== own.life) throw new OtherServer(this.address);
    if (own.position < known) throw new OtherServer(this.address);
  }

  #note(status: ReplicaStatus): void {
    this.#told = status;
    if (!status.replays) this.#leave(new Promoted());
    else this.#replay.note(status.position);
  }

  /** Reads from it as soon as a statement of nobody's has come back. */
  async #enter(): Promise<void> {
    const session = this.#line;
    if (this.#stint !== null || this.#isEntering || session === null) return;
    // One that was promoted says so in each of its answers, and rests anew.
    if (performance.now() < this.#restsUntil) return;
    this.#isEntering = true;
    try {
      await this.#pool.query('SELECT 1');
      if (this.#line !== session) return;
      this.#stint = this.#newStint();
      this.#isToldOut = false;
      this.#parts.log.info({ replica: this.address }, 'a replica is read from');
    } catch (error) {
      this.#leave(error);
    } finally {
      this.#isEntering = false;
    }
  }

  #leave(error: unknown): void {
    this.#restsUntil = performance.now() + REST_MS;
    this.#tellOut(error);
    const last = this.#stint;
    this.#stint = null;
    last?.end(error);
    this.#replay.giveUp();
  }

  /** Once, until it is read from again. */
  #tellOut(error: unknown): void {
    const fields = { replica: this.address, failure: failureOf(error) };
    if (!this.#isToldOut) this.#parts.log.warn(fields, 'a replica is not read from');
    this.#isToldOut = true;
  }

  #newStint(): Stint {
    const { primary, onRetreat } = this.#parts;
    return new Stint({
      replica: this.#pool,
      primary,
      onRetreat,
      onFailure: (error) => {
        // The others' statements may have met the same: those who begin now read here again.
        if (isCancelled(error)) this.#stint = this.#newStint();
        else this.#leave(error);
      },
    });
  }
}
