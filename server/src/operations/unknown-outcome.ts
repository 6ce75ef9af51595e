import { DomainError } from '../domain-error.ts';
import { withDeadline } from './deadline.ts';

/** Waits before each reading of a run whose outcome is unknown: three within two seconds. */
export const TRY_AFTER_MS = [0, 300, 1500] as const;

/**
 * Statements may hang as long as their own time limit; the caller is not kept waiting for all of them. With the time that a call
 * may wait for its hold, it is less than five seconds.
 */
const RESOLUTION_MS = 2_600;

/** The 503 of a run whose outcome cannot be read just now: the same key tells later. */
export function outcomeUnknown(ledgerId: string): DomainError {
  return new DomainError(
    'unavailable',
    'The outcome could not be confirmed just now. Retry with the same idempotency_key: it is charged at most once.',
    { ledgerId, retryAfterSeconds: 5 },
  );
}

/**
 * Answers what a resolution comes to, or the 503 once it takes too long. The resolution itself goes on: whatever it
 * still brings about is what the caller's retry finds.
 */
export function withinResolution<Result>(ledgerId: string, resolution: Promise<Result>): Promise<Result> {
  return withDeadline(resolution, RESOLUTION_MS, () => outcomeUnknown(ledgerId));
}
