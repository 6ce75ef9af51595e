import { batchRows } from '../database/batch.condition.ts';
import { columnsOf, RANKED_COLUMNS, SCORE_COLUMNS } from '../scoring/score-evidence.condition.ts';
import { balanceColumns } from './balance.ts';
import { LOCKED_BUCKETS } from './locked-buckets.sql.ts';
import { AFTER_EARLIER_RUNS, RECORDED_SCORES } from './recorded-scores.sql.ts';
import { RUN_COLUMNS, runColumnsOf, runIs } from './run-columns.sql.ts';

/**
 * Lock order: buckets in the order of the house, runs, subjects, their rows in the ranking. The lease guard here may be
 * evaluated before a lock wait; the CHECK settled_before_lease sees the final row and fences a late settle (23514). What is
 * taken from the open runs is among the ended ones or nothing is done.
 */
export const SETTLE = `
WITH c AS MATERIALIZED (${batchRows(`account_id uuid, bucket_id bigint, ledger_id uuid, ${SCORE_COLUMNS}`)}),
b0 AS MATERIALIZED (${LOCKED_BUCKETS}),
o AS (DELETE FROM open_run r USING b0 JOIN c ON c.account_id = b0.account_id AND c.bucket_id = b0.id
    JOIN subject ON subject.type = c.subject_type
  WHERE ${runIs('c')} AND subject.id = r.subject_id AND r.lease_until > ledger_now()
  RETURNING c.n, b0.used_before, ${columnsOf('c', RANKED_COLUMNS)}, ${runColumnsOf('r')}),
${RECORDED_SCORES},
r AS (INSERT INTO ended_run (${RUN_COLUMNS}, state, ended_at, score_version, used_after)
  SELECT ${RUN_COLUMNS}, 'settled', ledger_now() + ${AFTER_EARLIER_RUNS}, version, used_after FROM m),
b AS (UPDATE credit_bucket b SET held = b.held - ended.amount, used = b.used + ended.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM m GROUP BY account_id, bucket_id) ended
  WHERE b.account_id = ended.account_id AND b.id = ended.bucket_id RETURNING b.*)
SELECT m.n, ${balanceColumns('m.used_after')}, utc_text(m.version) AS score_version
FROM m JOIN b ON b.account_id = m.account_id AND b.id = m.bucket_id`;
