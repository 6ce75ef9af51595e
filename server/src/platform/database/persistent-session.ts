import pg from 'pg';

/** Function that probes a session, and callbacks for the result. */
interface Heartbeat {
  /** Sends a query; rejects if the session is broken. */
  probe(): Promise<unknown>;
  /**
   * Called when the session has answered the query that was sent at `askedAt` (`performance.now()`). Everything that
   * the server sent to the session before has then been received.
   */
  onAnswer(askedAt: number): void;
  /**
   * Called once if the session is broken, or has not answered `maxMissedHeartbeats` heartbeats in a row. No further
   * callback follows.
   */
  onSilence(error: unknown): void;
  /** Heartbeats in a row without an answer after which the session counts as dead. */
  readonly maxMissedHeartbeats?: number | undefined;
}

/** Clock and timers; tests replace them. */
interface Time {
  now(): number;
  /** Starts a timer and returns a function that cancels it. */
  later(work: () => void, ms: number): () => void;
}

/** Interval between two heartbeats of a session. */
export const HEARTBEAT_INTERVAL_MS = 200;

/** Default of `maxMissedHeartbeats`, which corresponds to five seconds. */
export const DEFAULT_MISSED_HEARTBEATS = 25;

const REAL_TIME: Time = {
  now: () => performance.now(),
  later(work, ms) {
    const timer = setTimeout(work, ms).unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Probes a session periodically. Counts silence in heartbeats, not on the clock: between two heartbeats
 * this process reads what has arrived, so a paused process does not mistake its own pause for a dead session. Returns
 * a function that stops the heartbeat. With the clock instead, `heartbeat.test.ts` fails.
 */
export function startHeartbeat(
  { probe: ask, onAnswer, onSilence, maxMissedHeartbeats = DEFAULT_MISSED_HEARTBEATS }: Heartbeat,
  time = REAL_TIME,
): () => void {
  let isWaiting = false;
  let silent = 0;
  let isOver = false;
  let cancelTimer: () => void;

  const end = () => {
    isOver = true;
    cancelTimer();
  };
  const fail = (error: unknown) => {
    if (isOver) return;
    end();
    onSilence(error);
  };

  function probe(): void {
    const askedAt = time.now();
    isWaiting = true;
    ask().then(() => {
      if (isOver) return;
      [isWaiting, silent] = [false, 0];
      onAnswer(askedAt);
      // A late answer says nothing about the present, so probe again at once.
      if (!isOver && time.now() - askedAt > HEARTBEAT_INTERVAL_MS) probe();
    }, fail);
  }

  function beat(): void {
    if (!isWaiting) probe();
    else silent += 1;
    if (silent >= maxMissedHeartbeats) fail(new Error('The session does not answer.'));
    else cancelTimer = time.later(beat, HEARTBEAT_INTERVAL_MS);
  }

  cancelTimer = time.later(beat, HEARTBEAT_INTERVAL_MS);
  return end;
}

/**
 * Options of a session that is reopened whenever it is lost. Between `onLost` and the next `onReady`, no session is
 * ready.
 */
export interface PersistentSessionOptions {
  readonly url: string;
  readonly applicationName: string;
  /**
   * Sends the query of the heartbeat, which is also the first query of a new session. Rejects if the session is
   * unusable.
   */
  probe(session: pg.Client): Promise<unknown>;
  /**
   * Prepares a new session before it counts as ready; `isCurrent` returns false once the session has been abandoned.
   */
  begin?(session: pg.Client, isCurrent: () => boolean): Promise<unknown>;
  onReady(session: pg.Client): void;
  /** Called when the query sent at `askedAt` (`performance.now()`) has been answered. */
  onAnswer(askedAt: number): void;
  /** Called when the session is lost. `error` is the error with which opening it failed; otherwise null. */
  onLost(error: unknown): void;
  /** Delay before reconnecting, depending on the error. */
  reconnectDelayMs(error: unknown): number;
  /** Heartbeats in a row without an answer after which the session counts as dead. */
  readonly maxMissedHeartbeats?: number;
  /** Timeout of one `confirm` in milliseconds. */
  readonly confirmMs?: number | undefined;
}

/** Session that is opened again after each loss, until `stop` is called. */
export interface PersistentSession {
  /**
   * Calls `told` with `true` once the session has delivered the notifications of all transactions that committed before
   * this call, or with `false` if no session is ready or the answer takes too long. One round trip serves all callers
   * of an event-loop turn.
   */
  confirm(told: BarrierWaiter): void;
  stop(): Promise<void>;
}

const CONNECT_MS = 2_000;
/** Default timeout of `confirm`. A longer wait would cost callers more time than reading from the database. */
const CONFIRM_MS = 100;

/**
 * Keeps one dedicated session open and opens it again when it is lost. Its heartbeat detects connections that died
 * silently.
 */
export function openPersistentSession(keeping: PersistentSessionOptions): PersistentSession {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let session: pg.Client | null = null;
  let ready: pg.Client | null = null;
  let endHeartbeat = () => {};

  const lose = (lost: pg.Client, error: unknown = null) => {
    if (session !== lost) return;
    [session, ready] = [null, null];
    endHeartbeat();
    keeping.onLost(error);
    lost.end().catch(() => undefined);
    lost.connection.stream.destroy();
    if (stopped) return;
    timer = setTimeout(open, keeping.reconnectDelayMs(error));
    timer.unref();
  };

  async function open(): Promise<void> {
    const client = new pg.Client({
      connectionString: keeping.url,
      application_name: keeping.applicationName,
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
    }) as pg.Client;
    session = client;
    client.on('error', () => lose(client));
    client.on('end', () => lose(client));
    try {
      await client.connect();
      endHeartbeat = startHeartbeat({
        probe: () => keeping.probe(client),
        onAnswer: (askedAt) => ready === client && keeping.onAnswer(askedAt),
        onSilence: () => lose(client),
        maxMissedHeartbeats: keeping.maxMissedHeartbeats,
      });
      // Call `probe` before any setup, so that it can reject a pooler: the next client of the pooler's server session
      // would inherit the setup.
      await keeping.probe(client);
      await keeping.begin?.(client, () => session === client);
      if (session !== client || stopped) return lose(client);
      ready = client;
      keeping.onReady(client);
    } catch (error) {
      lose(client, error);
    }
  }

  const starting = open();
  return {
    confirm: createSessionBarrier(() => ready, keeping.confirmMs ?? CONFIRM_MS),
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await starting;
      if (session) lose(session);
    },
  };
}

/** Called with true if the session has answered within the timeout, otherwise with false. */
export type BarrierWaiter = (passed: boolean) => void;

interface Batch {
  readonly waiters: BarrierWaiter[];
  readonly timer: NodeJS.Timeout;
  isOver: boolean;
}

/**
 * Returns a function that waits for a round trip on a session. Callers in the same event-loop turn share one round
 * trip. Callers that come while a round trip is in flight share the next one. PostgreSQL delivers the notifications of
 * all finished commits before it answers. A waiter receives `false` if no session is ready, if the session changes
 * meanwhile, or after `maxWaitMs`. Without the round trip, `session-barrier.test.ts` and
 * `late-invalidation.long.test.ts` fail.
 */
export function createSessionBarrier(
  current: () => pg.Client | null,
  maxWaitMs: number,
): (waiter: BarrierWaiter) => void {
  let next: Batch | null = null;
  let isInFlight = false;

  function end(batch: Batch, passed: boolean): void {
    if (batch.isOver) return;
    batch.isOver = true;
    clearTimeout(batch.timer);
    if (next === batch) next = null;
    for (const waiter of batch.waiters) waiter(passed);
  }

  function begin(): Batch {
    // After a pause of this process the answer may already have arrived; with setImmediate, it is read first.
    const giveUp = () => setImmediate(end, batch, false);
    const batch: Batch = { waiters: [], timer: setTimeout(giveUp, maxWaitMs), isOver: false };
    if (!isInFlight) setImmediate(send);
    return batch;
  }

  function send(): void {
    const batch = next;
    if (batch === null || isInFlight) return;
    next = null;
    const session = current();
    if (session === null) {
      end(batch, false);
      return;
    }
    isInFlight = true;
    const settle = (answered: boolean) => {
      isInFlight = false;
      end(batch, answered && current() === session);
      send();
    };
    // PostgreSQL answers an empty query without executing a statement.
    session.query('', (error) => settle(!error));
  }

  return (waiter) => {
    next ??= begin();
    next.waiters.push(waiter);
  };
}
