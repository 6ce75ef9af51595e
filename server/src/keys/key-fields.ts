import { KEY_SCOPES, type Scope } from '../callers/principal.ts';
import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { nameSome } from '../name-some.ts';
import { isShownName, SHOWN_NAME_RULE } from '../subjects/shown-name.ts';
import { liesAhead } from './key.repository.ts';

/** Scopes that a key can be given, each once; throws invalid_request for others, and for the reserved mcp:invoke. */
export function requireScopes(scopes: readonly string[]): Scope[] {
  const unknown = scopes.filter((scope) => !(KEY_SCOPES as readonly string[]).includes(scope));
  if (scopes.length > 0 && unknown.length === 0) return [...new Set(scopes)] as Scope[];
  const wrong = unknown.length > 0 ? `Unknown or reserved scope ${nameSome(unknown)}. ` : '';
  throw new DomainError('invalid_request', `${wrong}A key has one or more of: ${KEY_SCOPES.join(', ')}.`);
}

/** Throws invalid_request unless it is 1 to 100 characters that make a name. */
export function requireName(name: string): void {
  if (name.length <= 100 && name.isWellFormed() && isShownName(name)) return;
  throw new DomainError(
    'invalid_request',
    `A key has a name of 1 to 100 printable characters: ${SHOWN_NAME_RULE}.`,
  );
}

/** A year has four digits on the wire. */
const END_OF_TIME = Date.UTC(10_000, 0);
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/**
 * The moment of an expiry, which must lie ahead by the database's clock and before the year 10000; null is none. Throws
 * invalid_request. An odd date such as the 31st of a shorter month is read as JavaScript reads it, so that PostgreSQL
 * never sees one.
 */
export async function requireFuture(
  connection: Connection,
  expiresAt: string | null,
): Promise<string | null> {
  if (expiresAt === null) return null;
  const time = MOMENT.test(expiresAt) ? Date.parse(expiresAt) : Number.NaN;
  if (time > 0 && time < END_OF_TIME) {
    const moment = new Date(time).toISOString();
    if (await liesAhead(connection, moment)) return moment;
  }
  throw new DomainError(
    'invalid_request',
    'A key expires at a moment in the future and before the year 10000 (UTC), written as ISO 8601 with its zone.',
  );
}
