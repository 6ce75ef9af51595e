import { DomainError } from '../errors/domain-error.ts';

/** Runs a piece of work after those that arrived before it. */
export type Turns = <Result>(work: () => Promise<Result>) => Promise<Result>;

/**
 * Creates a queue that runs at most `concurrent` pieces of work at a time. If `maxWaiting` pieces are already waiting,
 * it rejects further ones with `unavailable` and the message.
 */
export function createTurns({
  concurrent,
  maxWaiting,
  message,
}: {
  concurrent: number;
  maxWaiting: number;
  message: string;
}): Turns {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running < concurrent) running += 1;
    else if (waiting.length < maxWaiting) await new Promise<void>((resolve) => waiting.push(resolve));
    else throw new DomainError('unavailable', message, { retryAfterSeconds: 1 });
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
