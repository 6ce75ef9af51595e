import { BALANCE_COLUMNS } from './balance.ts';

/** A run with its bucket, and whether its lease is over by the database’s clock. */
export const READ_RUN = `SELECT r.state, r.lease_until <= ledger_now() AS lease_over, r.source, r.amount, r.attempt,
    r.bucket_id, utc_text(r.score_version) AS score_version, ${BALANCE_COLUMNS}
  FROM usage_run r JOIN credit_bucket b ON b.account_id = r.account_id AND b.id = r.bucket_id
  WHERE r.account_id = $1 AND r.ledger_id = $2`;
