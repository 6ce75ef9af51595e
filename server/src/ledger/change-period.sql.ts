/**
 * Buckets are locked in the order of the house, the account's row before them: so nobody opens the month meanwhile, and
 * the grant entries that are summed up here are all there are. What an operator adjusted besides stays adjusted.
 */
export const CHANGE_PERIOD = `
WITH w AS (SELECT * FROM jsonb_to_recordset($3::jsonb) AS w(source text, unit text, total bigint)),
b0 AS (SELECT b.id, b.source, b.total, b.used, b.held FROM credit_bucket b
  WHERE b.account_id = $1 AND b.valid_from = $2 AND b.period_kind = 'month' AND b.source IN (SELECT source FROM w)
  ORDER BY b.account_id, b.prio, b.valid_to, b.id FOR NO KEY UPDATE OF b),
granted AS (SELECT e.bucket_id, sum(e.d_total)::bigint AS total FROM bucket_entry e JOIN b0 ON b0.id = e.bucket_id
  WHERE e.account_id = $1 AND e.d_total <> 0 AND e.kind = 'grant' GROUP BY 1),
d AS (SELECT b0.id, b0.source, CASE b0.source WHEN 'overage' THEN greatest(w.total, b0.used + b0.held) - b0.total
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
UNION ALL SELECT $1, id, CASE source WHEN 'overage' THEN 'adjust' ELSE 'grant' END, difference, $4 FROM changed`;
