import { DomainError } from '../errors/domain-error.ts';

/**
 * Shares one request among concurrent callers (single flight). A caller never gets the result of a request that was
 * sent before its call: it waits for the next one, which starts when the current one ends. Without sharing, or with
 * results from before the call, `concurrent-calls.test.ts` fails.
 */
export function singleFlight<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let inFlight: Promise<Answer> | null = null;
  let next: Promise<Answer> | null = null;

  function send(): Promise<Answer> {
    next = null;
    const request = ask();
    inFlight = request;
    const end = () => {
      if (inFlight === request) inFlight = null;
    };
    request.then(end, end);
    return request;
  }

  return () => {
    if (inFlight === null) return send();
    next ??= inFlight.then(send, send);
    return next;
  };
}

/**
 * Shares one request among concurrent callers, and those within `forMs` after the request has ended, even if it failed.
 * `now` is a clock in milliseconds. Without this cache, `health.test.ts` fails.
 */
export function cachedSingleFlight<Result>(
  forMs: number,
  ask: () => Promise<Result>,
  now: () => number,
): () => Promise<Result> {
  let asked: Promise<Result> | null = null;
  let answeredAt = Number.POSITIVE_INFINITY;
  return () => {
    if (asked !== null && now() - answeredAt < forMs) return asked;
    answeredAt = Number.POSITIVE_INFINITY;
    asked = ask().finally(() => {
      answeredAt = now();
    });
    return asked;
  };
}

/** Function that starts pieces of work in the order of their arrival. */
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
