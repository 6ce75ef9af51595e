import { type GrantedSource, sourceNamed, sqlSources } from '../../access/plans/charge-sources.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { errorCode } from '../../platform/database/database-errors.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { type AccountBucket, readBucket } from './account-buckets.ts';

/** Inserts a bucket of granted credits and its ledger entry, atomically. */
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
  /** Months from now until the grant expires. */
  months: number;
  note: string;
}

const MAX_MONTHS = 1_200;
const MAX_CREDITS = 1_000_000_000;

/**
 * Grants credits in a new bucket and writes the bucket's ledger entry, in one statement. Returns the bucket's id and
 * expiry. Throws invalid_request for an invalid note or if credits or months are out of range, and not_found if the
 * account does not exist or was deleted.
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

/**
 * Adds to a bucket's total and writes the ledger entry. A CHECK of the table rejects a total that is less than used
 * plus held; it sees the row as it is after the wait for the row's lock.
 */
const ADJUST = `
WITH b0 AS (SELECT b.id FROM credit_bucket b JOIN account a ON a.id = b.account_id
  WHERE b.account_id = $1 AND b.id = $2 AND b.source NOT IN (${sqlSources(({ followsCap }) => followsCap)}) AND ledger_now() < b.valid_to AND a.deleted_at IS NULL
  FOR NO KEY UPDATE OF b),
b AS (UPDATE credit_bucket b SET total = b.total + $3 FROM b0 WHERE b.account_id = $1 AND b.id = b0.id RETURNING b.id)
INSERT INTO bucket_entry (account_id, bucket_id, kind, d_total, note) SELECT $1, id, 'adjust', $3, $4 FROM b
RETURNING bucket_id`;

export interface Adjustment {
  accountId: string;
  bucketId: number;
  /** Credits (calls if the source is `free`) to add; negative to remove. */
  credits: number;
  note: string;
}

/** Maximum amount of one adjustment, in either direction. */
const MAX_ADJUSTMENT = 1_000_000_000;
const CHECK_VIOLATION = '23514';

/**
 * Adjusts one bucket and writes its ledger entry in one statement; returns the updated bucket. Throws not_found for an
 * unknown bucket. Throws invalid_request for an invalid amount or note, if the new total would be less than used plus
 * held, if the bucket has expired, if the account was deleted, and for an overage bucket, whose total follows the cap
 * that the account agreed to.
 */
export async function adjust(connection: Connection, input: Adjustment): Promise<AccountBucket> {
  const { accountId, bucketId, credits } = input;
  if (!Number.isInteger(credits) || credits === 0 || Math.abs(credits) > MAX_ADJUSTMENT) {
    throw new DomainError(
      'invalid_request',
      `An adjustment must be a whole number other than 0, from -${MAX_ADJUSTMENT} to ${MAX_ADJUSTMENT}.`,
    );
  }
  const bind = [accountId, bucketId, credits, requireNote(input.note)];
  const adjusted = await connection.query(ADJUST, bind).catch((error) => {
    if (errorCode(error)?.code === CHECK_VIOLATION) return 'too much';
    throw error;
  });
  const bucket = await readBucket(connection, accountId, bucketId);
  if (!bucket) throw new DomainError('not_found', 'The account has no bucket with this id.');
  if (adjusted === 'too much') throw tooMuch(bucket);
  if (adjusted.length === 0) throw refusal(bucket);
  return bucket;
}

function tooMuch({ source, used, held, left }: AccountBucket): DomainError {
  return new DomainError(
    'invalid_request',
    `At most ${left} can be removed from this ${source} bucket: ${used} are used and ${held} are held by calls in progress.`,
  );
}

function refusal({ source, to }: AccountBucket): DomainError {
  if (sourceNamed(source).followsCap) {
    return new DomainError(
      'invalid_request',
      'Overage follows the cap that the account chose. Change the cap instead.',
    );
  }
  return new DomainError(
    'invalid_request',
    `The bucket has expired (${to}) or its account was deleted. Grant credits instead.`,
  );
}

/** Trims the note of a ledger entry and requires at most 500 printable characters. Throws invalid_request. */
function requireNote(note: string): string {
  const text = note.trim();
  if (text.length <= 500 && !/[\p{Cc}\p{Cs}]/u.test(text)) return text;
  throw new DomainError('invalid_request', 'A note must have at most 500 printable characters.');
}
