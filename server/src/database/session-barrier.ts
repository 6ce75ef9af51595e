import type pg from 'pg';

/** Told whether the session has answered in time. */
export type BarrierWaiter = (passed: boolean) => void;

interface Batch {
  readonly waiters: BarrierWaiter[];
  readonly timer: NodeJS.Timeout;
  isOver: boolean;
}

/**
 * Returns a function that waits for a round trip on a session, one for everybody who asks in the same turn of the event loop
 * or while an earlier one is in flight. PostgreSQL delivers the notifications of every finished commit before it answers. A
 * waiter is told `false` where no session is ready, where the session changes meanwhile, or after `patienceMs`.
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
    // After a pause of this process the answer may have arrived already: it is read before the wait ends.
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
    session.query(new Sync(settle));
  }

  return (waiter) => {
    next ??= begin();
    next.waiters.push(waiter);
  };
}

/** Sends the protocol's Sync message alone: the server answers it without a statement or a transaction. */
class Sync implements pg.Submittable {
  readonly #settle: (answered: boolean) => void;
  #isSettled = false;

  constructor(settle: (answered: boolean) => void) {
    this.#settle = settle;
  }

  submit(connection: pg.Connection): void {
    connection.sync();
  }

  handleReadyForQuery(): void {
    this.#end(true);
  }

  handleError(): void {
    this.#end(false);
  }

  #end(answered: boolean): void {
    if (this.#isSettled) return;
    this.#isSettled = true;
    this.#settle(answered);
  }
}
