/** What a run is from its hold on, as `open_run` has it and `ended_run` keeps it. */
export const RUN_COLUMNS = `account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key, fingerprint,
    attempt, operation, subject_id, source, price_credits, amount, lease_until, created_at`;

/** The same columns of a row that has this name. */
export function runColumnsOf(row: string): string {
  return RUN_COLUMNS.replaceAll(/\w+/g, `${row}.$&`);
}
