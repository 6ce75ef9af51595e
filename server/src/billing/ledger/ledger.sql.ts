import { batchRows } from '../../platform/batching/batch-source.ts';
import { createKeyedMutex, perConnection } from '../../platform/batching/concurrency-control.ts';
import { columnsOf } from '../../scoring/scores/score-evidence.fragment.ts';

/** Columns that `open_run` and `ended_run` share. */
export const RUN_COLUMNS = `account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint,
    attempt, operation, subject_id, source, price_credits, amount, lease_until, created_at`;

/** Returns `RUN_COLUMNS`, each prefixed with a row alias, such as `r.`. */
export function runColumnsOf(row: string): string {
  return RUN_COLUMNS.replaceAll(/\w+/g, `${row}.$&`);
}

/**
 * Builds the condition that the open run `r` is the one in the given row. IS NOT DISTINCT FROM uses no index, so that
 * the run's id remains the only index key. Otherwise, with stale statistics, the planner would read all open runs of a
 * busy account.
 */
export function isOpenRunOf(row: string): string {
  return `r.ledger_id = ${row}.ledger_id AND r.account_id IS NOT DISTINCT FROM ${row}.account_id
    AND r.bucket_id IS NOT DISTINCT FROM ${row}.bucket_id`;
}

/**
 * Builds the first column of the index `ended_run_kind`: a hash of account, operation and state. Different values may
 * have the same hash.
 */
function runKind(account: string, operation: string, state: string): string {
  return `hashtextextended(${operation} || ' ' || ${state}, uuid_hash_extended(${account}, 0))`;
}

/**
 * Builds the condition that an ended run has this account, operation and state. The index `ended_run_kind`, which is
 * ordered by time, finds such runs. The comparison of all three columns is written so that no other index matches it.
 * The bounds (`>=` and `<=`) are redundant: they only keep the planner from overestimating the matching rows and
 * sorting all of them. Results are the same without the bounds, so no test of results would notice their removal.
 */
export function isOfKind(run: string, account: string, operation: string, state: string): string {
  const own = runKind(`${run}.account_id`, `${run}.operation`, `${run}.state`);
  const asked = runKind(account, operation, state);
  return `${own} = ${asked} AND ${own} >= ${asked} AND ${own} <= ${asked}
    AND coalesce((${run}.account_id, ${run}.operation, ${run}.state) = (${account}, ${operation}, ${state}), false)`;
}

/**
 * Locks the buckets of the items `c` in lock order (account, prio, valid_to, id), so that two batches cannot
 * deadlock. `used_before` is read from the locked row and therefore includes every earlier charge.
 */
export const LOCKED_BUCKETS = `SELECT b.account_id, b.id, b.used AS used_before FROM credit_bucket b
  JOIN (SELECT DISTINCT account_id, bucket_id FROM c) asked ON asked.account_id = b.account_id AND asked.bucket_id = b.id
  ORDER BY b.account_id, b.prio, b.valid_to, b.id FOR NO KEY UPDATE OF b`;

/** Columns of a call in the batch. */
const CALL_COLUMNS = `caller uuid, scope text, key text, fingerprint bytea, price int, ledger_id uuid, operation text, subject_id uuid,
    lease_ms float8, named uuid`;

/** Columns of a call that the steps after its authorization need. */
const FORWARDED_COLUMNS =
  'n, caller, key, fingerprint, price, ledger_id, operation, subject_id, lease_ms, named';

/**
 * Selects and locks the bucket that pays for each call of a batch.
 * - Input: the batch items `c` are the calls, with the extra columns `more`.
 * - Result: `pick` has the calls that are authorized, whose idempotency key has no open or settled run and no failed
 *   run of a different request, and that a bucket can pay. Its columns are those of the call (of `more`, only those in
 *   `forwarded`), the bucket, and `fits`: whether the bucket still covers this call after the earlier calls of the
 *   batch.
 * - Locks: buckets are locked by account and then in payment order. For each account, the lower price comes first. A
 *   bucket that can pay the higher price can also pay the lower one, so the lower price never locks a later bucket.
 * - Calls with the same account and price share a bucket, in batch order, until it is exhausted. The remaining calls
 *   are retried in the next batch.
 * - The last run of a key is read from this statement's snapshot, which may be outdated. If two processes use one key,
 *   the unique indexes decide, and triggers check again for runs that were opened or ended meanwhile.
 * - OFFSET 0 keeps the check for open runs from becoming a join, for which the planner would expect few open runs and
 *   scan a whole index.
 */
export function selectBuckets(admitted: string, more = '', forwarded = ''): string {
  return `
c AS MATERIALIZED (${batchRows(`${CALL_COLUMNS}${more}`)}),
k AS MATERIALIZED (SELECT ${columnsOf('c', FORWARDED_COLUMNS)}${forwarded && `, ${columnsOf('c', forwarded)}`}, a.account_id, coalesce(p.attempt, 0) + 1 AS attempt
  FROM c CROSS JOIN LATERAL (${admitted}) a
  LEFT JOIN LATERAL (SELECT r.attempt, r.state, r.fingerprint FROM ended_run r
    WHERE r.account_id = a.account_id AND r.idempotency_key = c.key ORDER BY r.attempt DESC LIMIT 1) p ON true
  WHERE (p.attempt IS NULL OR (p.state = 'failed' AND p.fingerprint = c.fingerprint))
    AND NOT EXISTS (SELECT FROM open_run o WHERE o.idempotency_key = c.key
      AND o.account_id IS NOT DISTINCT FROM a.account_id OFFSET 0)),
b0 AS MATERIALIZED (SELECT asked.account_id, asked.price, b.*
  FROM (SELECT DISTINCT account_id, price FROM k ORDER BY account_id, price) asked
  CROSS JOIN LATERAL (SELECT b.id, b.source, b.total - b.used - b.held AS room, b.used AS used_before,
      CASE b.unit WHEN 'call' THEN 1 ELSE asked.price END AS amount
    FROM credit_bucket b
    WHERE b.account_id = asked.account_id AND b.valid_from <= ledger_now() AND ledger_now() < b.valid_to
      AND b.total - b.used - b.held >= CASE b.unit WHEN 'call' THEN 1 ELSE asked.price END
    ORDER BY b.prio, b.valid_to, b.id LIMIT 1 FOR NO KEY UPDATE OF b) b),
pick AS MATERIALIZED (SELECT k.*, b0.id AS bucket_id, b0.source AS paid_by, b0.amount, b0.used_before,
    sum(b0.amount) OVER (PARTITION BY b0.id ORDER BY k.n) <= b0.room AS fits
  FROM k JOIN b0 ON b0.account_id = k.account_id AND b0.price = k.price)`;
}

/**
 * Mutex by account, one for each connection. Only one statement of reserve, charge, settle or fail at a time contains
 * calls of an account, because each of these statements locks the account's buckets.
 */
export const ledgerMutex = perConnection(createKeyedMutex);
