import { GivenUp } from '../database/coalesce.ts';
import { DomainError } from '../domain-error.ts';

/** What some work comes to, or `late` thrown once it has taken `limitMs`. The work itself goes on. */
export async function withDeadline<Result>(
  work: Promise<Result>,
  limitMs: number,
  late: () => DomainError,
): Promise<Result> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), limitMs);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The 503 of a call that could not get its hold in time: what it still opens is given back. */
export class TooLate extends DomainError {
  constructor() {
    super(
      'unavailable',
      'The database is too busy just now. Nothing was charged; retry with the same idempotency_key.',
      { retryAfterSeconds: 2 },
    );
  }
}

/** Waits for some work as long as there is time left to the call; throws TooLate. */
export interface InTime {
  <Result>(work: Promise<Result>): Promise<Result>;
  /** When the time is over, of `performance.now()`. */
  readonly until: number;
}

/** Begins a call's time: each wait may last until all of them together have used it up. */
export function startWaiting(limitMs: number): InTime {
  const until = performance.now() + limitMs;
  const inTime = async <Result>(work: Promise<Result>) => {
    try {
      return await withDeadline(work, Math.max(0, until - performance.now()), () => new TooLate());
    } catch (error) {
      throw error instanceof GivenUp ? new TooLate() : error;
    }
  };
  return Object.assign(inTime, { until });
}
