import type { Connection } from '../database/connect.ts';

/** Items of one batcher, called a kind. Several kinds may share a limiter. */
interface BatchedKind {
  /**
   * Position of the kind in the waiting order; null if it has nothing to send. A kind gets a new position when its
   * first item arrives, and after each of its batches.
   */
  oldestPosition(): number | null;
  /** Number of the kind's waiting items. */
  waitingCount(): number;
  /** Sends one batch; returns false if no item can be sent. */
  send(): boolean;
}

/** Limits the number of statements in flight. Items that arrive while the limit is reached wait for a later batch. */
export interface ConcurrencyLimiter {
  register(sender: BatchedKind): void;
  /** Returns a new position at the end of the waiting order. */
  newPosition(): number;
  /**
   * Occupies a slot for a statement. Call the returned function once to release the slot; it sends the next batch
   * immediately.
   */
  acquire(): () => void;
  /** Number of waiting items of all kinds. */
  waitingCount(): number;
  /**
   * Sends as many batches as the limit allows. It does so in a microtask if nothing is in flight; otherwise after this
   * turn of the event loop, together with items that arrive in this turn.
   */
  schedule(): void;
}

/**
 * Creates a limiter for `most` statements in flight. The kind with the lowest position in the waiting order goes first.
 * A statement that has run for `slotTimeoutMs` probably waits for a lock or a disk, and gives up its slot; by default
 * it keeps the slot until it ends. Without the order of waiting or the timeout of a slot, `concurrency-control.test.ts`
 * fails.
 */
export function createConcurrencyLimiter(
  most: number,
  slotTimeoutMs = Number.POSITIVE_INFINITY,
): ConcurrencyLimiter {
  const senders: BatchedKind[] = [];
  let nextPosition = 0;
  let inFlight = 0;
  let isScheduled = false;

  function wake(): void {
    if (isScheduled) return;
    isScheduled = true;
    if (inFlight === 0) queueMicrotask(dispatch);
    else setImmediate(dispatch);
  }

  function dispatch(): void {
    isScheduled = false;
    while (inFlight < most && sendOne());
  }

  function sendOne(): boolean {
    const waiting = senders.flatMap((sender) => {
      const since = sender.oldestPosition();
      return since === null ? [] : [{ sender, since }];
    });
    return waiting.sort((one, other) => one.since - other.since).some(({ sender }) => sender.send());
  }

  function enter(): () => void {
    let holdsSlot = true;
    inFlight += 1;
    const leave = () => {
      if (holdsSlot) inFlight -= 1;
      holdsSlot = false;
    };
    const giveUp = () => {
      leave();
      wake();
    };
    const timer = Number.isFinite(slotTimeoutMs) ? setTimeout(giveUp, slotTimeoutMs) : undefined;
    return () => {
      clearTimeout(timer);
      leave();
      dispatch();
    };
  }

  return {
    register: (sender) => void senders.push(sender),
    newPosition: () => nextPosition++,
    acquire: enter,
    waitingCount: () => senders.reduce((sum, sender) => sum + sender.waitingCount(), 0),
    schedule: wake,
  };
}

/** Items of one batcher, called a kind. Several kinds may share a mutex. */
export interface MutexUser {
  /** True for a kind that ends runs of metered calls. It takes precedence over kinds that open runs. */
  readonly isTerminal: boolean;
  /** Returns true if items of this partition wait, and none of them is being retried. */
  hasWaiting(partition: string): boolean;
  /** Called when partitions are released. */
  onRelease(): void;
}

/**
 * Mutex by partition key, shared by kinds whose statements lock the same rows. A partition is in one statement at a
 * time, across all kinds. A second statement would only wait for the row locks of the first, and so delay all items of
 * its batch.
 */
export interface KeyedMutex {
  register(kind: MutexUser): void;
  /** Returns true if an item of this partition and kind may be sent now. */
  canAcquire(partition: string, kind: MutexUser): boolean;
  acquire(partitions: readonly string[]): void;
  release(partitions: readonly string[]): void;
}

/** Creates a mutex without kinds. Without the mutex or its precedence, `batcher-mutex.test.ts` fails. */
export function createKeyedMutex(): KeyedMutex {
  const held = new Set<string>();
  const kinds: MutexUser[] = [];
  return {
    register(kind) {
      kinds.push(kind);
    },
    // The precedence of kinds that end runs cannot starve those that open runs: only runs that were opened can be
    // ended.
    canAcquire: (partition, kind) =>
      !held.has(partition) &&
      (kind.isTerminal || !kinds.some((other) => other.isTerminal && other.hasWaiting(partition))),
    acquire(partitions) {
      for (const partition of partitions) held.add(partition);
    },
    release(partitions) {
      for (const partition of partitions) held.delete(partition);
      for (const kind of kinds) kind.onRelease();
    },
  };
}

/** Memoizes one value per connection. The value is garbage collected with the connection. */
export function perConnection<Part>(
  make: (connection: Connection) => Part,
): (connection: Connection) => Part {
  const parts = new WeakMap<Connection, Part>();
  return (connection) => {
    const known = parts.get(connection);
    if (known) return known;
    const part = make(connection);
    parts.set(connection, part);
    return part;
  };
}

/**
 * Maximum statements in flight: PostgreSQL executes one while this process handles the results of another. With a
 * maximum of three or four, calls were only 0 to 7% faster (server/src/billing/ledger/README.md).
 */
const MOST_AT_WORK = 2;
/**
 * Time after which a running statement no longer counts towards the limit (it is not cancelled). It is longer than the
 * largest batch takes.
 */
const SLOT_TIMEOUT_MS = 100;

/**
 * Returns the concurrency limiter that the batched statements of metered calls on a connection share. Calls of one
 * batch then wait together for a slot, and their next statement is one batch again. Without the timeout of a slot,
 * `reserve-batches.db.test.ts` fails.
 */
export const statementLimiter = perConnection(() => createConcurrencyLimiter(MOST_AT_WORK, SLOT_TIMEOUT_MS));
