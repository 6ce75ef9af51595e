/** What a run is from its hold on, as `open_run` has it and `ended_run` keeps it. */
export const RUN_COLUMNS = `account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint,
    attempt, operation, subject_id, source, price_credits, amount, lease_until, created_at`;

/** The same columns of a row that has this name. */
export function runColumnsOf(row: string): string {
  return RUN_COLUMNS.replaceAll(/\w+/g, `${row}.$&`);
}

/**
 * That the open run `r` is the one that a row of this name says. It is found by its number, whatever the planner believes of
 * a table that is empty one moment and full the next: IS NOT DISTINCT FROM takes no index, by which it would read all runs of
 * a busy account.
 */
export function runIs(row: string): string {
  return `r.ledger_id = ${row}.ledger_id AND r.account_id IS NOT DISTINCT FROM ${row}.account_id
    AND r.bucket_id IS NOT DISTINCT FROM ${row}.bucket_id`;
}
