import type { Connection } from '../database/connect.ts';

/** `abandoned`: its call was answered before the hold stood; the others are what the scoring backend did. */
export type FailCode = 'upstream' | 'upstream_timeout' | 'upstream_rejected' | 'abandoned';

const SQL = `
WITH b0 AS (SELECT id FROM credit_bucket WHERE account_id = $1 AND id = $2 FOR NO KEY UPDATE),
r AS (UPDATE usage_run r SET state = 'failed', fail_code = $4, ended_at = ledger_now() FROM b0
  WHERE r.account_id = $1 AND r.ledger_id = $3 AND r.bucket_id = b0.id AND r.state = 'reserved'
  RETURNING r.account_id, r.ledger_id, r.bucket_id, r.amount),
b AS (UPDATE credit_bucket b SET held = b.held - r.amount FROM r WHERE b.account_id = $1 AND b.id = r.bucket_id),
e AS (INSERT INTO ledger_entry (account_id, ledger_id, bucket_id, kind, d_held)
  SELECT account_id, ledger_id, bucket_id, 'reverse', -amount FROM r)
SELECT ledger_id FROM r`;

/** S3: ends an open run as failed and gives its hold back. False when it was no longer open. */
export async function fail(
  connection: Connection,
  run: { accountId: string; bucketId: number; ledgerId: string },
  code: FailCode,
): Promise<boolean> {
  const rows = await connection.query(SQL, [run.accountId, run.bucketId, run.ledgerId, code]);
  return rows.length === 1;
}
