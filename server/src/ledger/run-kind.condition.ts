/** What the index `ended_run_kind` begins with: an account's runs of one operation and state. Two kinds may have one number. */
function runKind(account: string, operation: string, state: string): string {
  return `hashtextextended(${operation} || ' ' || ${state}, uuid_hash_extended(${account}, 0))`;
}

/**
 * That the ended run of this name is of an account, operation and state, so that it is found by `ended_run_kind`, in time.
 * The rows are compared in a way for which there is no other index. The bounds say nothing more: they keep the planner from
 * taking the runs of a kind for so many that it reads them all and then sorts them. Without them the rows are the same, so
 * that no test of rows notices.
 */
export function isOfKind(run: string, account: string, operation: string, state: string): string {
  const own = runKind(`${run}.account_id`, `${run}.operation`, `${run}.state`);
  const asked = runKind(account, operation, state);
  return `${own} = ${asked} AND ${own} >= ${asked} AND ${own} <= ${asked}
    AND coalesce((${run}.account_id, ${run}.operation, ${run}.state) = (${account}, ${operation}, ${state}), false)`;
}
