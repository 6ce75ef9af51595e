import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { KEY_SCOPES, type Scope } from '../../platform/http/credentials/principal.ts';
import { isValidName, listNames, NAME_RULE } from '../../platform/text/request-text.ts';
import { findKey, isInFuture } from './key.queries.ts';

/**
 * Returns the scopes without duplicates. Throws invalid_request if the list is empty, or if a key cannot have one of
 * the scopes, such as the reserved mcp:invoke.
 */
export function requireScopes(scopes: readonly string[]): Scope[] {
  const unknown = scopes.filter((scope) => !(KEY_SCOPES as readonly string[]).includes(scope));
  if (scopes.length > 0 && unknown.length === 0) return [...new Set(scopes)] as Scope[];
  const wrong = unknown.length > 0 ? `Unknown or reserved scope ${listNames(unknown)}. ` : '';
  throw new DomainError('invalid_request', `${wrong}A key has one or more of: ${KEY_SCOPES.join(', ')}.`);
}

/** Throws invalid_request unless the name has 1 to 100 printable characters. */
export function requireName(name: string): void {
  if (name.length <= 100 && name.isWellFormed() && isValidName(name)) return;
  throw new DomainError(
    'invalid_request',
    `A key has a name of 1 to 100 printable characters: ${NAME_RULE}.`,
  );
}

/** First time after the last four-digit year, because the API's format has four digits. */
const END_OF_TIME = Date.UTC(10_000, 0);
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * Normalizes an expiry, which must be in the future by the database clock and before the year 10000; null means no
 * expiry. Throws invalid_request. A date that does not exist, such as 31 April, becomes a day of the next month,
 * because PostgreSQL would reject it.
 */
export async function requireFutureExpiry(
  connection: Connection,
  expiresAt: string | null,
): Promise<string | null> {
  if (expiresAt === null) return null;
  const time = MOMENT.test(expiresAt) ? Date.parse(expiresAt) : Number.NaN;
  if (time > 0 && time < END_OF_TIME) {
    const moment = new Date(time).toISOString();
    if (await isInFuture(connection, moment)) return moment;
  }
  throw new DomainError(
    'invalid_request',
    'A key expires at a moment in the future and before the year 10000 (UTC), written as ISO 8601 with its zone.',
  );
}

/**
 * An access key as its owner sees it, without its secret; the state `inactive` means paused. Times are ISO 8601 UTC.
 */
export interface KeyRecord {
  id: string;
  name: string;
  last_four: string;
  scopes: Scope[];
  state: 'active' | 'inactive' | 'expired' | 'revoked';
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  /** Maximum calls and credits that the key may spend in a month; null for no limit. */
  monthly_calls: number | null;
  monthly_credits: number | null;
}

/** Monthly limits of a key; null for no limit. */
export interface KeyLimits {
  readonly calls: number | null;
  readonly credits: number | null;
}

/** Returns a key of the caller's account; throws not_found for any other key, whether it exists or not. */
export async function requireKey(
  connection: Connection,
  accountId: string,
  keyId: string,
): Promise<KeyRecord> {
  const key = await findKey(connection, accountId, keyId);
  if (!key) throw new DomainError('not_found', 'Your account has no access key with this id.');
  return key;
}

/** Returns a key that can still be changed; throws not_found, and invalid_request if it is revoked or expired. */
export async function requireUsableKey(
  connection: Connection,
  accountId: string,
  keyId: string,
): Promise<KeyRecord> {
  const key = await requireKey(connection, accountId, keyId);
  if (key.state === 'active' || key.state === 'inactive') return key;
  const how = key.state === 'revoked' ? 'was revoked' : 'has expired';
  throw new DomainError('invalid_request', `This key ${how}, which is final. Create a new one.`);
}
