import { batchRows } from '../database/batch.condition.ts';
import { LOCKED_BUCKETS } from './locked-buckets.sql.ts';
import { RUN_COLUMNS, runColumnsOf, runIs } from './run-columns.sql.ts';

/** Buckets are locked first, as everywhere; runs and buckets change together or not at all. The run is found by its number, as in S2. */
export const FAIL = `
WITH c AS MATERIALIZED (${batchRows('account_id uuid, bucket_id bigint, ledger_id uuid, code text')}),
b0 AS MATERIALIZED (${LOCKED_BUCKETS}),
o AS (DELETE FROM open_run r USING b0 JOIN c ON c.account_id = b0.account_id AND c.bucket_id = b0.id
  WHERE ${runIs('c')}
  RETURNING c.n, c.code, ${runColumnsOf('r')}),
r AS (INSERT INTO ended_run (${RUN_COLUMNS}, state, fail_code, ended_at)
  SELECT ${RUN_COLUMNS}, 'failed', code, ledger_now() FROM o),
b AS (UPDATE credit_bucket b SET held = b.held - ended.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM o GROUP BY account_id, bucket_id) ended
  WHERE b.account_id = ended.account_id AND b.id = ended.bucket_id)
SELECT n FROM o`;
