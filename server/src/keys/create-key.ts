import { v7 as uuidv7 } from 'uuid';
import type { Scope } from '../callers/principal.ts';
import { requireRecentSignIn } from '../callers/recent-sign-in.ts';
import { hashSecret, newSecret } from '../callers/secret.ts';
import type { Connection, Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { lockOwner } from '../plans/lock-owner.ts';
import type { PlanBook } from '../plans/plans.ts';
import { requireFreeSlot } from './free-slot.ts';
import { findKey, insertKey } from './key.repository.ts';
import type { KeyRecord } from './key.ts';
import { requireFuture, requireName, requireScopes } from './key-fields.ts';

export interface NewKey {
  /** The console session that creates the key; its account owns it. */
  sessionId: string;
  name: string;
  scopes: readonly string[];
  /** ISO 8601; null for a key that does not expire. */
  expiresAt: string | null;
  /** A UUID that the caller has made: two creates with one id make one key, and the second one fails. Else a new one. */
  id?: string;
}

export interface CreatedKey {
  id: string;
  /** Shown to its owner this once; only its hash is kept. */
  secret: string;
  lastFour: string;
  /** As it is listed from now on. */
  record: KeyRecord;
}

/**
 * Creates an access key from a console session. Two creates at once on one free slot make one key: the account's row
 * is locked while slots are counted. Throws key_limit_reached, invalid_request, unauthorized, and sign_in_again where the
 * session is not a recent one.
 */
export async function createKey(database: Database, planBook: PlanBook, input: NewKey): Promise<CreatedKey> {
  const scopes = requireScopes(input.scopes);
  requireName(input.name);
  return inTransaction(database, async (connection) => {
    const owner = await lockOwner(connection, input.sessionId);
    await requireRecentSignIn(connection, input.sessionId);
    const expiresAt = await requireFuture(connection, input.expiresAt);
    await requireFreeSlot(connection, planBook, owner);
    return makeKey(connection, owner.accountId, { ...input, scopes, expiresAt });
  });
}

/** The same for a form that may be sent more than once: null where its one key, of the id given here, was made before. */
export async function createKeyOnce(
  database: Database,
  planBook: PlanBook,
  input: NewKey & { accountId: string; id: string },
): Promise<CreatedKey | null> {
  try {
    return await createKey(database, planBook, input);
  } catch (error) {
    if (await findKey(database, input.accountId, input.id)) return null;
    throw error;
  }
}

/** Makes a key and stores it under its secret's hash. The caller has locked the account and found a slot. */
export async function makeKey(
  connection: Connection,
  accountId: string,
  input: NewKey & { scopes: readonly Scope[] },
): Promise<CreatedKey> {
  const { sessionId, name, scopes, expiresAt } = input;
  const key = { id: input.id ?? uuidv7(), secret: newSecret() };
  const lastFour = key.secret.slice(-4);
  const keyHash = hashSecret(key.secret);
  await insertKey(connection, {
    id: key.id,
    accountId,
    sessionId,
    keyHash,
    lastFour,
    name,
    scopes,
    expiresAt,
  });
  // Read before the commit: once the key exists, nothing may come between its owner and the secret.
  const record = await findKey(connection, accountId, key.id);
  if (!record) throw new Error('the key that was just stored is not there');
  return { ...key, lastFour, record };
}
