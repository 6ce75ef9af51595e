import { RANKED_COLUMNS, SCORE_COLUMNS } from '../scoring/score-evidence.condition.ts';
import { balanceColumns } from './balance.ts';
import { ADMITTED, RUN_CALLER } from './caller.sql.ts';
import { pickedBuckets } from './picked.sql.ts';
import { RECORDED_SCORES } from './recorded-scores.sql.ts';
import { RUN_COLUMNS } from './run-columns.sql.ts';

/**
 * Lock order: buckets, subjects, their rows in the ranking; no open run is there to be locked. One of the same key that was
 * opened meanwhile is found by the trigger ended_run_one_live. The time of a run is read once its locks are had, and it is
 * held and settled in that one moment.
 */
const chargeSql = (admitted: string, runCaller: string) => `
WITH ${pickedBuckets(admitted, `, ${SCORE_COLUMNS}`, RANKED_COLUMNS)},
o AS NOT MATERIALIZED (SELECT * FROM pick WHERE fits),
${RECORDED_SCORES},
r AS (INSERT INTO ended_run (${RUN_COLUMNS}, state, ended_at, score_version, used_after)
  SELECT pick.account_id, pick.ledger_id, ${runCaller}, pick.bucket_id, pick.key, pick.fingerprint, pick.attempt, pick.operation,
    pick.subject_id, pick.paid_by, pick.price, pick.amount, pick.at + pick.lease_ms * interval '1 millisecond', pick.at,
    'settled', pick.at, pick.version, pick.used_after
  FROM m pick ORDER BY pick.account_id, pick.key),
b AS (UPDATE credit_bucket b SET used = b.used + paid.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM m GROUP BY account_id, bucket_id) paid
  WHERE b.account_id = paid.account_id AND b.id = paid.bucket_id RETURNING b.*)
SELECT paid.n, paid.fits, paid.paid_by AS source, ${balanceColumns('paid.used_after')}, utc_text(paid.version) AS score_version
FROM (SELECT n, fits, paid_by, account_id, bucket_id, version, used_after FROM m
  UNION ALL SELECT n, fits, paid_by, NULL, NULL, NULL, NULL FROM pick WHERE NOT fits) paid
LEFT JOIN b ON b.id = paid.bucket_id AND b.account_id = paid.account_id`;

/** The statement of each kind of caller. */
export const CHARGE = {
  key: chargeSql(ADMITTED.key, RUN_CALLER.key),
  session: chargeSql(ADMITTED.session, RUN_CALLER.session),
};
