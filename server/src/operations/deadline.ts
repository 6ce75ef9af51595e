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
export type InTime = <Result>(work: Promise<Result>) => Promise<Result>;

/** Begins a call's time: each wait may last until all of them together have used it up. */
export function startWaiting(limitMs: number): InTime {
  const endsAt = performance.now() + limitMs;
  return (work) => withDeadline(work, Math.max(0, endsAt - performance.now()), () => new TooLate());
}
