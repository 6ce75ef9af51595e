import { DomainError } from '../errors/domain-error.ts';

/** Runs pieces of work one at a time. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a queue that runs one piece of work at a time. If `maxWaiting` pieces wait already, it rejects with
 * `unavailable` and the message.
 */
export function createTurns(maxWaiting: number, message: string): Turns {
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  return async (work) => {
    if (waiting > maxWaiting) throw new DomainError('unavailable', message, { retryAfterSeconds: 1 });
    waiting += 1;
    const done = last.then(work).finally(() => {
      waiting -= 1;
    });
    last = done.catch(() => undefined);
    return done;
  };
}
