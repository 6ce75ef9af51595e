/** The bucket and its entry in the ledger: both or neither. */
export const GRANT = `
WITH moment AS (SELECT ledger_now() AS now),
b AS (INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
  SELECT a.id, $2, 'credit', 'grant', now, now + $4 * interval '1 month', $3
  FROM moment, account a WHERE a.id = $1 AND a.deleted_at IS NULL
  RETURNING account_id, id, total, valid_to),
e AS (INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total, note)
  SELECT account_id, id, 'grant', total, $5 FROM b)
SELECT id AS bucket_id, utc_text(valid_to) AS expires_at FROM b`;
