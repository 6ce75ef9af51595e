/** Kind of items that share the limiter. */
interface BatchedKind {
  /** Position of the kind's oldest waiting item in the waiting order; null if none waits. */
  oldestPosition(): number | null;
  /** Number of the kind's waiting items. */
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
   * Occupies a slot for a statement. Call the returned function once to release the slot; it sends the next batch
   * immediately.
   */
  acquire(): () => void;
  /** Number of waiting items of all kinds. */
  waitingCount(): number;
  /**
   * Sends what the limit allows. It does so in a microtask if nothing is in flight; otherwise after this turn of the
   * event loop, together with items that arrive in this turn.
   */
  schedule(): void;
}

/**
 * Creates a limiter for `most` statements in flight. The kind whose item has waited longest goes first. A statement
 * that has run for `slotTimeoutMs` probably waits for a lock or a disk, and gives up its slot; by default it keeps the
 * slot until it ends. Without the order of waiting or the timeout of a slot, `concurrency-limiter.test.ts` fails.
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
