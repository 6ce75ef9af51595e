import { sqlSources } from '../../access/plans/charge-sources.ts';
import type { PeriodBucket, PlanSettings } from '../../access/plans/plans.ts';
import type { Connection } from '../../platform/database/connect.ts';

const CAPPED = sqlSources(({ followsCap }) => followsCap);
const MONTHLY = sqlSources(({ periodKind }) => periodKind === 'month');

/**
 * Adjusts the month's buckets to a new plan or overage cap. The caller has locked the account's row, so that no other
 * process creates buckets of the month or their grant entries meanwhile. The statement first locks the buckets in lock
 * order (account, prio, valid_to, id), so that `used` and `held` do not change before the update. Adjustments by
 * operators remain.
 */
const CHANGE_PERIOD = `
WITH w AS (SELECT * FROM jsonb_to_recordset($3::jsonb) AS w(source text, unit text, total bigint)),
b0 AS (SELECT b.id, b.source, b.total, b.used, b.held FROM credit_bucket b
  WHERE b.account_id = $1 AND b.valid_from = $2 AND b.period_kind = 'month' AND b.source IN (SELECT source FROM w)
  ORDER BY b.account_id, b.prio, b.valid_to, b.id FOR NO KEY UPDATE OF b),
granted AS (SELECT e.bucket_id, sum(e.d_total)::bigint AS total FROM bucket_entry e JOIN b0 ON b0.id = e.bucket_id
  WHERE e.account_id = $1 AND e.d_total <> 0 AND e.kind = 'grant' GROUP BY 1),
d AS (SELECT b0.id, b0.source, CASE WHEN b0.source IN (${CAPPED}) THEN greatest(w.total, b0.used + b0.held) - b0.total
    ELSE greatest(w.total - coalesce(granted.total, 0), 0) END AS difference
  FROM b0 JOIN w USING (source) LEFT JOIN granted ON granted.bucket_id = b0.id),
changed AS (UPDATE credit_bucket b SET total = b.total + d.difference FROM d
  WHERE b.account_id = $1 AND b.id = d.id AND d.difference <> 0 RETURNING b.id, d.source, d.difference),
opened AS (INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
  SELECT $1, w.source, w.unit, 'month', $2::timestamptz,
    ($2::timestamptz AT TIME ZONE 'UTC' + interval '1 month') AT TIME ZONE 'UTC', w.total
  FROM w WHERE w.total > 0 AND NOT EXISTS (SELECT FROM b0 WHERE b0.source = w.source) RETURNING id, total)
INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total, note)
SELECT $1, id, 'grant', total, $4 FROM opened
UNION ALL SELECT $1, id, CASE WHEN source IN (${CAPPED}) THEN 'adjust' ELSE 'grant' END, difference, $4 FROM changed`;

/**
 * Creates the missing buckets of the current month. FOR SHARE blocks changes of the plan, but other transactions can
 * still create and charge buckets. Creates none if the account was deleted, or if its plan or overage settings differ
 * from those that the caller read, for example because a scheduled plan took effect at the start of the month.
 * `next_plan_from` is always the start of a month, so that one plan applies to the whole month.
 */
const OPEN_PERIOD = `
WITH clock AS (SELECT date_trunc('month', ledger_now() AT TIME ZONE 'UTC') AS start),
month AS (SELECT clock.start FROM account a, clock WHERE a.id = $1 AND a.deleted_at IS NULL
  AND CASE WHEN a.next_plan_from <= clock.start AT TIME ZONE 'UTC' THEN a.next_plan ELSE a.plan END = $3
  AND a.overage_enabled = $4 AND a.overage_cap IS NOT DISTINCT FROM $5 FOR SHARE OF a),
b AS (INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
  SELECT $1, w.source, w.unit, 'month', month.start AT TIME ZONE 'UTC',
    (month.start + interval '1 month') AT TIME ZONE 'UTC', w.total
  FROM month, jsonb_to_recordset($2::jsonb) AS w(source text, unit text, total bigint)
  ON CONFLICT (account_id, source, valid_from) WHERE source IN (${MONTHLY}) DO NOTHING
  RETURNING account_id, id, total)
INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total) SELECT account_id, id, 'grant', total FROM b`;

/**
 * Adjusts a month's buckets after a change of plan or overage, and opens missing ones. Raises free and included
 * buckets to the plan's amounts and never lowers them. Sets overage to its cap, but not below what is used and held.
 * The caller must have locked the account (lockPlan). Writes each change as a ledger entry with `note`, the reason for
 * the change.
 */
export async function changePeriod(
  connection: Connection,
  account: { accountId: string; month: string },
  buckets: readonly PeriodBucket[],
  note: string,
): Promise<void> {
  await connection.query(CHANGE_PERIOD, [account.accountId, account.month, JSON.stringify(buckets), note]);
}

/**
 * Opens the missing buckets of the current month, each with its grant entry. Opens none if the account was deleted, or
 * if its plan or overage settings differ from `account`. This is a separate statement, because the statement that
 * charges would not see buckets that it inserts itself. Concurrent calls create each bucket only once.
 */
export async function openPeriod(
  connection: Connection,
  account: PlanSettings & { accountId: string },
  buckets: PeriodBucket[],
): Promise<void> {
  const { accountId, plan, overageEnabled, overageCap } = account;
  await connection.query(OPEN_PERIOD, [accountId, JSON.stringify(buckets), plan, overageEnabled, overageCap]);
}
