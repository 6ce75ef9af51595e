import { DomainError } from '../platform/errors/domain-error.ts';
import { instrumentBackend } from '../scoring/backends/instrument-backend.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';

/** Limits for metered calls in one process. */
export interface CallLimits {
  /**
   * Maximum calls in progress that are not waiting for the scoring backend; they share the processor and the ledger.
   */
  readonly atWork: number;
  /** Maximum calls that wait for the scoring backend, with their credits held. */
  readonly scoring: number;
}

/**
 * Limits concurrent metered calls. Excess calls are refused at once: if accepted, they would delay all calls until none
 * is answered in time.
 */
export interface CallLimiter {
  /** Throws 503 if a limit is reached. Costs almost nothing, so call it before the request body is read. */
  require(): void;
  /**
   * Counts a call as in progress until its work ends, even if its client disconnects. Throws 503 if a limit is reached.
   */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Wraps the backend so that a call that waits for it counts as `scoring` instead of `atWork`. */
  backend(backend: ScoringBackend): ScoringBackend;
  /** `atWork` and `scoring`: calls in progress now. `refused`: calls refused since the start. */
  readonly counts: Readonly<Record<'atWork' | 'scoring' | 'refused', number>>;
}

/** Values of Retry-After in seconds, used in turn, so that refused clients do not all retry at once. */
const RETRY_AFTER_SECONDS = [1, 2, 3];

function overloaded(retryAfterSeconds: number): DomainError {
  return new DomainError(
    'unavailable',
    'The service is temporarily overloaded. Nothing was charged; retry with the same idempotency_key.',
    { retryAfterSeconds },
  );
}

/** Creates a limiter with the limits `most`. Without the limit, `call-limiter.test.ts` fails. */
export function createCallLimiter(most: CallLimits): CallLimiter {
  // Created once: capturing a stack trace per refused call is expensive.
  const refusals = RETRY_AFTER_SECONDS.map(overloaded);
  const counts = { atWork: 0, scoring: 0, refused: 0 };

  function requireCapacity(): void {
    if (counts.atWork < most.atWork && counts.scoring < most.scoring) return;
    counts.refused += 1;
    throw refusals[counts.refused % refusals.length];
  }

  return {
    counts,
    require: requireCapacity,
    async run(work) {
      requireCapacity();
      counts.atWork += 1;
      try {
        return await work();
      } finally {
        counts.atWork -= 1;
      }
    },
    backend: (backend) =>
      instrumentBackend(backend, () => {
        counts.atWork -= 1;
        counts.scoring += 1;
        return () => {
          counts.scoring -= 1;
          counts.atWork += 1;
        };
      }),
  };
}
