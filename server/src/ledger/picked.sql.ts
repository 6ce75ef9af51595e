import { batchRows } from '../database/batch.condition.ts';
import { columnsOf } from '../scoring/score-evidence.condition.ts';

/** The columns of a call that asks to be paid. */
const CALL_COLUMNS = `caller uuid, scope text, key text, fingerprint bytea, price int, ledger_id uuid, operation text, subject_id uuid,
    lease_ms float8, named uuid`;

/** Of those, what is of use once the caller is admitted. */
const CARRIED = 'n, caller, key, fingerprint, price, ledger_id, operation, subject_id, lease_ms, named';

/**
 * Which bucket pays for each call of a batch, locked: `c` are the calls (with `more` columns of their own), `pick` those that
 * may be opened, with what they brought (of `more` what is `carried`), their bucket, and whether it goes so far.
 *
 * Buckets are locked by account and then in the order in which they pay; the cheaper call of an account comes first, since
 * every bucket that can pay the dearer one can pay it too. Calls of one account and price take the same bucket, one after
 * the other as far as it goes; the rest is left undecided. The last run is this statement's snapshot only: of one key in
 * two processes the unique indexes are the judge, and the triggers that look again for what was opened or ended meanwhile.
 * (OFFSET keeps the look at open runs from becoming a join, for which the planner, who takes them for few, reads all of an index.)
 */
export function pickedBuckets(admitted: string, more = '', carried = ''): string {
  return `
c AS MATERIALIZED (${batchRows(`${CALL_COLUMNS}${more}`)}),
k AS MATERIALIZED (SELECT ${columnsOf('c', CARRIED)}${carried && `, ${columnsOf('c', carried)}`}, a.account_id, coalesce(p.attempt, 0) + 1 AS attempt
  FROM c CROSS JOIN LATERAL (${admitted}) a
  LEFT JOIN LATERAL (SELECT r.attempt, r.state, r.fingerprint FROM ended_run r
    WHERE r.account_id = a.account_id AND r.idempotency_key = c.key ORDER BY r.attempt DESC LIMIT 1) p ON true
  WHERE (p.attempt IS NULL OR (p.state = 'failed' AND p.fingerprint = c.fingerprint))
    AND NOT EXISTS (SELECT FROM open_run o WHERE o.idempotency_key = c.key
      AND o.account_id IS NOT DISTINCT FROM a.account_id OFFSET 0)),
b0 AS MATERIALIZED (SELECT asked.account_id, asked.price, b.*
  FROM (SELECT DISTINCT account_id, price FROM k ORDER BY account_id, price) asked
  CROSS JOIN LATERAL (SELECT b.id, b.source, b.total - b.used - b.held AS room, b.used AS used_before,
      CASE b.unit WHEN 'call' THEN 1 ELSE asked.price END AS amount
    FROM credit_bucket b
    WHERE b.account_id = asked.account_id AND b.valid_from <= ledger_now() AND ledger_now() < b.valid_to
      AND b.total - b.used - b.held >= CASE b.unit WHEN 'call' THEN 1 ELSE asked.price END
    ORDER BY b.prio, b.valid_to, b.id LIMIT 1 FOR NO KEY UPDATE OF b) b),
pick AS MATERIALIZED (SELECT k.*, b0.id AS bucket_id, b0.source AS paid_by, b0.amount, b0.used_before,
    sum(b0.amount) OVER (PARTITION BY b0.id ORDER BY k.n) <= b0.room AS fits
  FROM k JOIN b0 ON b0.account_id = k.account_id AND b0.price = k.price)`;
}
