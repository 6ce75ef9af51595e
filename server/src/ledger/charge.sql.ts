import { SCORE_COLUMNS } from '../scoring/score-evidence.condition.ts';
import { BALANCE_COLUMNS } from './balance.ts';
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
WITH ${pickedBuckets(admitted, `, ${SCORE_COLUMNS}`)},
o AS MATERIALIZED (SELECT pick.*, c.subject_type FROM pick JOIN c ON c.n = pick.n WHERE pick.fits),
${RECORDED_SCORES},
ended AS MATERIALIZED (SELECT m.*, ledger_now() AS at FROM m),
r AS (INSERT INTO ended_run (${RUN_COLUMNS}, state, ended_at, score_version)
  SELECT pick.account_id, pick.ledger_id, ${runCaller}, pick.bucket_id, pick.key, pick.fingerprint, pick.attempt, pick.operation,
    pick.subject_id, pick.source, pick.price, pick.amount, pick.at + pick.lease_ms * interval '1 millisecond', pick.at,
    'settled', pick.at, pick.version
  FROM ended pick ORDER BY pick.account_id, pick.key),
b AS (UPDATE credit_bucket b SET used = b.used + paid.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM m GROUP BY account_id, bucket_id) paid
  WHERE b.account_id = paid.account_id AND b.id = paid.bucket_id RETURNING b.*)
SELECT pick.n, pick.fits, pick.source, ${BALANCE_COLUMNS}, utc_text(m.version) AS score_version
FROM pick LEFT JOIN m ON m.n = pick.n LEFT JOIN b ON b.account_id = m.account_id AND b.id = m.bucket_id`;

/** The statement of each kind of caller. */
export const CHARGE = {
  key: chargeSql(ADMITTED.key, RUN_CALLER.key),
  session: chargeSql(ADMITTED.session, RUN_CALLER.session),
};
