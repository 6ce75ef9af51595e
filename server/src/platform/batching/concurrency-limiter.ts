/** Kind of items that shares the limiter. */
interface BatchedKind {
  /** Position of its oldest waiting item in the waiting order; null if nothing waits. */
  oldestPosition(): number | null;
  /** Number of waiting items that a caller awaits. */
  waitingCount(): number;
  /** Sends one batch; returns false if no item can be sent. */
  send(): boolean;
}

/** Limits the number of statements in flight; items that arrive at the limit are collected. */
export interface ConcurrencyLimiter {
  register(sender: BatchedKind): void;
  /** Returns a new position at the end of the waiting order. */
  newPosition(): number;
  /**
   * Occupies a slot for a statement of `items` items. Call the returned function once to release the slot, which sends
   * the next batch immediately.
   */
  acquire(items: number): () => void;
  /** Number of waiting items of all kinds that a caller awaits. */
  waitingCount(): number;
  /**
   * Sends what the limit allows: in a microtask if nothing is in flight, otherwise after this turn of the event loop,
   * together with items that it adds.
   */
  schedule(): void;
}

/** Batches up to this size do not block a second concurrent statement. */
const SMALL_BATCH = 8;

/** Timeouts of a statement's slot. */
interface LimiterTimeouts {
  /** Minimum run time of a larger batch before a second statement may start. Default: 0. */
  readonly exclusiveMs?: number;
  /**
   * Run time after which a statement, probably waiting for a lock or a disk, gives up its slot. Default: it keeps the
   * slot until it ends.
   */
  readonly slotTimeoutMs?: number;
}

/** Creates a limiter for `most` statements in flight. The kind whose item has waited longest goes first. */
export function createConcurrencyLimiter(
  most: number,
  { exclusiveMs = 0, slotTimeoutMs = Number.POSITIVE_INFINITY }: LimiterTimeouts = {},
): ConcurrencyLimiter {
  const senders: BatchedKind[] = [];
  let nextPosition = 0;
  const inFlight = createTimedCounter();
  const exclusive = createTimedCounter();
  let isScheduled = false;

  function wake(): void {
    if (isScheduled) return;
    isScheduled = true;
    if (inFlight.size() === 0) queueMicrotask(dispatch);
    else setImmediate(dispatch);
  }

  function dispatch(): void {
    isScheduled = false;
    while (inFlight.size() < most && exclusive.size() === 0 && sendOne());
  }

  function sendOne(): boolean {
    const waiting = senders.flatMap((sender) => {
      const since = sender.oldestPosition();
      return since === null ? [] : [{ sender, since }];
    });
    return waiting.sort((one, other) => one.since - other.since).some(({ sender }) => sender.send());
  }

  function enter(items: number): () => void {
    const releases = [
      inFlight.begin(slotTimeoutMs, wake),
      exclusive.begin(items > SMALL_BATCH ? exclusiveMs : 0, wake),
    ];
    return () => {
      for (const end of releases) end();
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

/** Counts statements until they end or their time limit passes, whichever comes first. */
function createTimedCounter() {
  let count = 0;

  function begin(lastsMs: number, onOver: () => void): () => void {
    let isCounted = lastsMs > 0;
    if (isCounted) count += 1;
    const end = () => {
      clearTimeout(timer);
      if (isCounted) count -= 1;
      isCounted = false;
    };
    const over = () => {
      end();
      onOver();
    };
    const timer = isCounted && Number.isFinite(lastsMs) ? setTimeout(over, lastsMs) : undefined;
    return end;
  }

  return { size: () => count, begin };
}
