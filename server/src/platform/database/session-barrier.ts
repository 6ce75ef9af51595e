import type pg from 'pg';

/** Called with true if the session has answered within the timeout, otherwise with false. */
export type BarrierWaiter = (passed: boolean) => void;

interface Batch {
  readonly waiters: BarrierWaiter[];
  readonly timer: NodeJS.Timeout;
  isOver: boolean;
}

/**
 * Returns a function that waits for a round trip on a session. Callers of the same event-loop turn, or during an
 * earlier round trip, share one. PostgreSQL delivers the notifications of all finished commits before it answers. A
 * waiter receives `false` if no session is ready, if the session changes meanwhile, or after `patienceMs`. Without the
 * round trip, `session-barrier.test.ts` and `late-invalidation.db.test.ts` fail.
 */
export function createSessionBarrier(
  current: () => pg.Client | null,
  patienceMs: number,
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
    const batch: Batch = { waiters: [], timer: setTimeout(giveUp, patienceMs), isOver: false };
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
    // An empty query: the server answers it without a statement.
    session.query('', (error) => settle(!error));
  }

  return (waiter) => {
    next ??= begin();
    next.waiters.push(waiter);
  };
}
