import { batchRows } from '../database/batch.condition.ts';
import { ADMITTED, RUN_CALLER } from './caller.sql.ts';

// Buckets are locked by account and then in the order in which they pay; the cheaper call of an account comes first, since
// every bucket that can pay the dearer one can pay it too. Calls of one account and price take the same bucket, one after
// the other as far as it goes; the rest is left undecided. The last run is this statement's snapshot only: of one key in
// two processes the unique index on open runs is the judge, and the trigger that looks again for what has ended meanwhile.
const reserveSql = (admitted: string, runCaller: string) => `
WITH c AS MATERIALIZED (${batchRows(
  `caller uuid, scope text, key text, fingerprint bytea, price int, ledger_id uuid, operation text, subject_id uuid,
    lease_ms float8, named uuid`,
)}),
k AS MATERIALIZED (SELECT c.*, a.account_id, coalesce(p.attempt, 0) + 1 AS attempt
  FROM c CROSS JOIN LATERAL (${admitted}) a
  LEFT JOIN LATERAL (SELECT r.attempt, r.state, r.fingerprint FROM ended_run r
    WHERE r.account_id = a.account_id AND r.idempotency_key = c.key ORDER BY r.attempt DESC LIMIT 1) p ON true
  WHERE (p.attempt IS NULL OR (p.state = 'failed' AND p.fingerprint = c.fingerprint))
    AND NOT EXISTS (SELECT FROM open_run o WHERE o.idempotency_key = c.key
      AND o.account_id IS NOT DISTINCT FROM a.account_id)),
b0 AS MATERIALIZED (SELECT asked.account_id, asked.price, b.*
  FROM (SELECT DISTINCT account_id, price FROM k ORDER BY account_id, price) asked
  CROSS JOIN LATERAL (SELECT b.id, b.source, b.total - b.used - b.held AS room,
      CASE b.unit WHEN 'call' THEN 1 ELSE asked.price END AS amount
    FROM credit_bucket b
    WHERE b.account_id = asked.account_id AND b.valid_from <= ledger_now() AND ledger_now() < b.valid_to
      AND b.total - b.used - b.held >= CASE b.unit WHEN 'call' THEN 1 ELSE asked.price END
    ORDER BY b.prio, b.valid_to, b.id LIMIT 1 FOR NO KEY UPDATE OF b) b),
pick AS MATERIALIZED (SELECT k.*, b0.id AS bucket_id, b0.source, b0.amount,
    sum(b0.amount) OVER (PARTITION BY b0.id ORDER BY k.n) <= b0.room AS fits
  FROM k JOIN b0 ON b0.account_id = k.account_id AND b0.price = k.price),
r AS (INSERT INTO open_run (account_id, ledger_id, key_id, session_id, attributed_key_id, bucket_id, idempotency_key,
    fingerprint, attempt, operation, subject_id, source, price_credits, amount, lease_until)
  SELECT pick.account_id, pick.ledger_id, ${runCaller}, pick.bucket_id, pick.key, pick.fingerprint, pick.attempt,
    pick.operation, pick.subject_id, pick.source, pick.price, pick.amount,
    ledger_now() + pick.lease_ms * interval '1 millisecond'
  FROM pick WHERE pick.fits ORDER BY pick.account_id, pick.key
  RETURNING account_id, bucket_id, amount),
u AS (UPDATE credit_bucket b SET held = b.held + s.amount
  FROM (SELECT account_id, bucket_id, sum(amount) AS amount FROM r GROUP BY account_id, bucket_id) s
  WHERE b.account_id = s.account_id AND b.id = s.bucket_id)
SELECT n, account_id, bucket_id, source, amount, attempt, fits FROM pick`;

/** The statement of each kind of caller. */
export const RESERVE = {
  key: reserveSql(ADMITTED.key, RUN_CALLER.key),
  session: reserveSql(ADMITTED.session, RUN_CALLER.session),
};
