/** The guard on what is used and held is the table's own CHECK: it alone sees the row after the wait for its lock. */
export const ADJUST = `
WITH b0 AS (SELECT b.id FROM credit_bucket b JOIN account a ON a.id = b.account_id
  WHERE b.account_id = $1 AND b.id = $2 AND b.source <> 'overage' AND ledger_now() < b.valid_to AND a.deleted_at IS NULL
  FOR NO KEY UPDATE OF b),
b AS (UPDATE credit_bucket b SET total = b.total + $3 FROM b0 WHERE b.account_id = $1 AND b.id = b0.id RETURNING b.id)
INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total, note) SELECT $1, id, 'adjust', $3, $4 FROM b
RETURNING bucket_id`;
