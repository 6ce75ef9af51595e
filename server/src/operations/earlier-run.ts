import type { Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import type { LastRun, LookUp } from '../ledger/look-up.ts';
import { reapBucket } from '../ledger/reap.ts';

// A client stuck in a retry loop would otherwise grow the table without end.
const ATTEMPTS_BEFORE_PAUSE = 20;
const PAUSE_SECONDS = 60;
const IN_PROGRESS_RETRY_SECONDS = 2;

/**
 * What an earlier run of the same idempotency key means for this request: a settled one is answered again, an open one
 * is in progress, another body is refused, a failed one may run again. Throws 422, 409, 429.
 */
export async function judgeEarlierRun(database: Database, found: LookUp): Promise<LastRun | null> {
  const run = found.lastRun;
  if (!run) return null;
  if (!run.sameBody) {
    throw new DomainError(
      'idempotency_key_reused',
      'This idempotency_key was used for another operation or subject. Use a new key for a new request.',
    );
  }
  if (run.state === 'settled') return run;
  if (run.state === 'reserved' && !run.leaseOver) {
    throw new DomainError(
      'idempotency_in_progress',
      'A request with this idempotency_key is in progress. Retry with the same key.',
      { ledgerId: run.ledgerId, retryAfterSeconds: IN_PROGRESS_RETRY_SECONDS },
    );
  }
  if (run.state === 'reserved') await reapBucket(database, found.accountId, run.bucketId);
  else if (run.attempt >= ATTEMPTS_BEFORE_PAUSE && run.failedJustNow) {
    throw new DomainError(
      'rate_limited',
      `${run.attempt} attempts with this idempotency_key have failed. You can retry it once a minute.`,
      { retryAfterSeconds: PAUSE_SECONDS },
    );
  }
  return null;
}
