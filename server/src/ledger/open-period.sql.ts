/**
 * The account's row is shared with everybody who opens or takes from a bucket, and kept from anyone who changes the plan.
 * A standing that changed since it was read, or with the month, opens nothing. `next_plan_from` starts a month, so the
 * plan in force is the same at every moment of this one.
 */
export const OPEN_PERIOD = `
WITH clock AS (SELECT date_trunc('month', ledger_now() AT TIME ZONE 'UTC') AS start),
month AS (SELECT clock.start FROM account a, clock WHERE a.id = $1 AND a.deleted_at IS NULL
  AND CASE WHEN a.next_plan_from <= clock.start AT TIME ZONE 'UTC' THEN a.next_plan ELSE a.plan END = $3
  AND a.overage_enabled = $4 AND a.overage_cap IS NOT DISTINCT FROM $5 FOR SHARE OF a),
b AS (INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
  SELECT $1, w.source, w.unit, 'month', month.start AT TIME ZONE 'UTC',
    (month.start + interval '1 month') AT TIME ZONE 'UTC', w.total
  FROM month, jsonb_to_recordset($2::jsonb) AS w(source text, unit text, total bigint)
  ON CONFLICT (account_id, source, valid_from) WHERE source IN ('free', 'included', 'overage') DO NOTHING
  RETURNING account_id, id, total)
INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total) SELECT account_id, id, 'grant', total FROM b`;
