import type { Connection } from '../database/connect.ts';

export interface Grant {
  accountId: string;
  source: 'gifted' | 'purchased';
  /** Credits, 1 or more. */
  credits: number;
  /** Months until the grant expires. */
  months: number;
  note: string;
}

/** Gives an account credits of its own bucket, with its ledger entry, in one statement. Answers when they expire. */
export async function grant(
  connection: Connection,
  input: Grant,
): Promise<{ bucketId: number; expiresAt: string }> {
  const [row] = await connection.query<{ bucket_id: number; expires_at: string }>(
    `WITH moment AS (SELECT ledger_now() AS now),
     b AS (INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
       SELECT $1, $2, 'credit', 'grant', now, now + $4 * interval '1 month', $3 FROM moment
       RETURNING account_id, id, total, valid_to),
     e AS (INSERT INTO ledger_entry (account_id, bucket_id, kind, d_total, note)
       SELECT account_id, id, 'grant', total, $5 FROM b)
     SELECT id AS bucket_id, utc_text(valid_to) AS expires_at FROM b`,
    [input.accountId, input.source, input.credits, input.months, input.note],
  );
  if (!row) throw new Error('the grant made no bucket');
  return { bucketId: row.bucket_id, expiresAt: row.expires_at };
}
