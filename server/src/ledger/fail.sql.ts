import { batchRows } from '../database/batch.condition.ts';
import { LOCKED_BUCKETS } from './locked-buckets.sql.ts';

/** Buckets are locked first, as everywhere; runs, buckets and entries change together or not at all. */
export const FAIL = `
WITH c AS MATERIALIZED (${batchRows('account_id uuid, bucket_id bigint, ledger_id uuid, code text')}),
b0 AS MATERIALIZED (${LOCKED_BUCKETS}),
r AS (UPDATE usage_run r SET state = 'failed', fail_code = c.code, ended_at = ledger_now()
  FROM b0 JOIN c ON c.account_id = b0.account_id AND c.bucket_id = b0.id
  WHERE r.account_id = c.account_id AND r.ledger_id = c.ledger_id AND r.bucket_id = b0.id AND r.state = 'reserved'
  RETURNING c.n, r.account_id, r.ledger_id, r.bucket_id, r.amount),
b AS (UPDATE credit_bucket b SET held = b.held - ended.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM r GROUP BY account_id, bucket_id) ended
  WHERE b.account_id = ended.account_id AND b.id = ended.bucket_id),
e AS (INSERT INTO ledger_entry (account_id, ledger_id, bucket_id, kind, d_held)
  SELECT account_id, ledger_id, bucket_id, 'reverse', -amount FROM r)
SELECT n FROM r`;
