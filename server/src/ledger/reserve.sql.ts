import { ADMITTED, RUN_CALLER } from './caller.sql.ts';
import { pickedBuckets } from './picked.sql.ts';

const reserveSql = (admitted: string, runCaller: string) => `
WITH ${pickedBuckets(admitted)},
r AS (INSERT INTO open_run (account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key,
    fingerprint, attempt, operation, subject_id, source, price_credits, amount, lease_until)
  SELECT pick.account_id, pick.ledger_id, ${runCaller}, pick.bucket_id, pick.key, pick.fingerprint, pick.attempt,
    pick.operation, pick.subject_id, pick.paid_by, pick.price, pick.amount,
    ledger_now() + pick.lease_ms * interval '1 millisecond'
  FROM pick WHERE pick.fits ORDER BY pick.account_id, pick.key
  RETURNING account_id, bucket_id, amount),
u AS (UPDATE credit_bucket b SET held = b.held + s.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM r GROUP BY account_id, bucket_id) s
  WHERE b.account_id = s.account_id AND b.id = s.bucket_id)
SELECT n, account_id, bucket_id, paid_by AS source, amount, attempt, fits FROM pick`;

/** The statement of each kind of caller. */
export const RESERVE = {
  key: reserveSql(ADMITTED.key, RUN_CALLER.key),
  session: reserveSql(ADMITTED.session, RUN_CALLER.session),
};
