import { perConnection } from './batcher.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

/** Maximum statements in flight. The second one keeps this process busy while statements are slow or small. */
const MOST_AT_WORK = 2;
/**
 * Time a large batch runs alone, about as long as a batch takes on an idle machine. One statement at a time is usually
 * enough: PostgreSQL executes it while this process handles the results of the previous one. An earlier second
 * statement would carry few calls, and its fixed cost equals ten rows.
 */
const BESIDE_AFTER_MS = 3;
/** Slot timeout; longer than the largest batch takes. */
const LEAVE_AFTER_MS = 100;

/**
 * Returns the concurrency limiter shared by all statements of metered calls on a connection, so that calls of one batch
 * reach the next kind together.
 */
export const statementLimiter = perConnection(() =>
  createConcurrencyLimiter(MOST_AT_WORK, { exclusiveMs: BESIDE_AFTER_MS, slotTimeoutMs: LEAVE_AFTER_MS }),
);
