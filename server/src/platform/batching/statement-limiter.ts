import { perConnection } from './batcher.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

/**
 * Maximum statements in flight: PostgreSQL executes one while this process handles the results of another. Three or
 * four were 0 to 7% faster (server/src/billing/ledger/README.md).
 */
const MOST_AT_WORK = 2;
/**
 * Time after which a running statement no longer counts towards the limit (it is not cancelled). It is longer than the
 * largest batch takes.
 */
const SLOT_TIMEOUT_MS = 100;

/**
 * Returns the concurrency limiter shared by all statements of metered calls on a connection, so that calls of one batch
 * reach the next kind together. Without the timeout of a slot, `reserve-batches.db.test.ts` fails.
 */
export const statementLimiter = perConnection(() => createConcurrencyLimiter(MOST_AT_WORK, SLOT_TIMEOUT_MS));
