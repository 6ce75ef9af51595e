import type { GrantedSource } from '../../access/plans/charge-sources.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { requireNote } from './require-note.ts';

/** Inserts a bucket and its ledger entry, atomically. */
const GRANT = `
WITH moment AS (SELECT ledger_now() AS now),
b AS (INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
  SELECT a.id, $2, 'credit', 'grant', now, now + $4 * interval '1 month', $3
  FROM moment, account a WHERE a.id = $1 AND a.deleted_at IS NULL
  RETURNING account_id, id, total, valid_to),
e AS (INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total, note)
  SELECT account_id, id, 'grant', total, $5 FROM b)
SELECT id AS bucket_id, utc_text(valid_to) AS expires_at FROM b`;

export interface Grant {
  accountId: string;
  source: GrantedSource;
  /** Credits, 1 or more. */
  credits: number;
  /** Months until the grant expires. */
  months: number;
  note: string;
}

const MAX_MONTHS = 1_200;
const MAX_CREDITS = 1_000_000_000;

/**
 * Grants credits in a new bucket and writes its ledger entry, in one statement; returns the expiry. Throws
 * invalid_request for amounts or months out of range, and not_found if the account does not exist or was deleted.
 */
export async function grant(
  connection: Connection,
  input: Grant,
): Promise<{ bucketId: number; expiresAt: string }> {
  const { accountId, source, credits, months } = input;
  requireWhole('A grant is', credits, MAX_CREDITS, 'credits');
  requireWhole('A grant lasts', months, MAX_MONTHS, 'months');
  const [row] = await connection.query<{ bucket_id: number; expires_at: string }>(GRANT, [
    accountId,
    source,
    credits,
    months,
    requireNote(input.note),
  ]);
  if (!row) throw new DomainError('not_found', 'There is no such account, or it was deleted.');
  return { bucketId: row.bucket_id, expiresAt: row.expires_at };
}

function requireWhole(what: string, value: number, most: number, unit: string): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  throw new DomainError('invalid_request', `${what} a whole number of ${unit} from 1 to ${most}.`);
}
