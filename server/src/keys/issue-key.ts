import type { Database } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import type { PlanBook } from '../plans/plans.ts';
import { type CreatedKey, createKey } from './create-key.ts';
import { replaceKey } from './replace-key.ts';

/** What a person asks for in the console: a key of its own scopes, or one in the place of another. */
export interface KeyWish {
  sessionId: string;
  /** Null: a name of ours, or that of the replaced key. */
  name: string | null;
  /** Null where a key is replaced: its scopes go over to the new one. */
  scopes: readonly string[] | null;
  /** ISO 8601; null for none, or that of the replaced key. */
  expiresAt: string | null;
  replacesKeyId: string | null;
}

const USUAL_NAME = 'Access key';

/**
 * Creates a key from a console session, or replaces one. Throws sign_in_again, key_limit_reached, unauthorized, and
 * invalid_request also where scopes are missing, or asked for a key that inherits them.
 */
export async function issueKey(database: Database, planBook: PlanBook, wish: KeyWish): Promise<CreatedKey> {
  const { sessionId, name, scopes, expiresAt, replacesKeyId } = wish;
  if (replacesKeyId !== null) {
    if (scopes !== null) {
      throw new DomainError(
        'invalid_request',
        'A key that replaces another inherits its scopes: leave scopes out, or create a key without replacing one.',
      );
    }
    return replaceKey(database, planBook, { sessionId, replacesKeyId, name, expiresAt });
  }
  // No scopes at all are refused there, with the list of those that there are.
  return createKey(database, planBook, {
    sessionId,
    name: name ?? USUAL_NAME,
    scopes: scopes ?? [],
    expiresAt,
  });
}
