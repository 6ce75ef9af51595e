import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { GRANT } from './grant.sql.ts';
import { requireNote } from './note.ts';

export interface Grant {
  accountId: string;
  source: 'gifted' | 'purchased';
  /** Credits, 1 or more. */
  credits: number;
  /** Months until the grant expires. */
  months: number;
  note: string;
}

/** How long credits last where nobody says otherwise. */
export const GRANT_MONTHS = 24;
const MOST_MONTHS = 1_200;
const MOST_CREDITS = 1_000_000_000;

/**
 * Gives an account credits of its own bucket, with its ledger entry, in one statement. Answers when they expire. Throws
 * invalid_request, and not_found where there is no such account or it was deleted.
 */
export async function grant(
  connection: Connection,
  input: Grant,
): Promise<{ bucketId: number; expiresAt: string }> {
  const { accountId, source, credits, months } = input;
  requireWhole('A grant is', credits, MOST_CREDITS, 'credits');
  requireWhole('A grant lasts', months, MOST_MONTHS, 'months');
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
