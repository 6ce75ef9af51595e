/** Columns that `open_run` and `ended_run` share. */
export const RUN_COLUMNS = `account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint,
    attempt, operation, subject_id, source, price_credits, amount, lease_until, created_at`;

/** Qualifies the shared columns with a row's name. */
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
 * Builds the first column of the index `ended_run_kind`: a hash of account, operation and state. Different values may have
 * the same hash.
 */
function runKind(account: string, operation: string, state: string): string {
  return `hashtextextended(${operation} || ' ' || ${state}, uuid_hash_extended(${account}, 0))`;
}

/**
 * Builds the condition that an ended run has this account, operation and state. The index `ended_run_kind`, which is
 * ordered by time, finds such runs. The row comparison matches no other index. The bounds are redundant: they only
 * keep the planner from overestimating the matching rows and sorting all of them. Results are the same without them,
 * so no test of results would notice their removal.
 */
export function isOfKind(run: string, account: string, operation: string, state: string): string {
  const own = runKind(`${run}.account_id`, `${run}.operation`, `${run}.state`);
  const asked = runKind(account, operation, state);
  return `${own} = ${asked} AND ${own} >= ${asked} AND ${own} <= ${asked}
    AND coalesce((${run}.account_id, ${run}.operation, ${run}.state) = (${account}, ${operation}, ${state}), false)`;
}
