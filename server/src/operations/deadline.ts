import { DeadlineExceededError } from '../platform/batching/batcher.ts';
import { DomainError } from '../platform/errors/domain-error.ts';

/** Resolves with the work's result, or throws `late()` after `limitMs`. The work itself continues. */
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

/**
 * Thrown (503) if a call's deadline passes before its credits are held or its charge is sent. If the credits are held
 * later, that hold is released.
 */
export class CallDeadlineExceededError extends DomainError {
  constructor() {
    super(
      'unavailable',
      'The database is too busy just now. Nothing was charged; retry with the same idempotency_key.',
      { retryAfterSeconds: 2 },
    );
  }
}

/** Awaits work until the call's deadline, then throws CallDeadlineExceededError. */
export interface Deadline {
  <Result>(work: Promise<Result>): Promise<Result>;
  /** Deadline on the `performance.now()` clock. */
  readonly until: number;
}

/**
 * Starts the deadline of a call, which all its waits before the hold or charge share. Without the deadline,
 * `busy-database.long.test.ts` fails.
 */
export function startDeadline(limitMs: number): Deadline {
  const until = performance.now() + limitMs;
  const withinDeadline = async <Result>(work: Promise<Result>) => {
    try {
      return await withDeadline(
        work,
        Math.max(0, until - performance.now()),
        () => new CallDeadlineExceededError(),
      );
    } catch (error) {
      throw error instanceof DeadlineExceededError ? new CallDeadlineExceededError() : error;
    }
  };
  return Object.assign(withinDeadline, { until });
}
