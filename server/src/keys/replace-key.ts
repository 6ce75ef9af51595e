import { requireRecentSignIn } from '../callers/recent-sign-in.ts';
import type { Connection, Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import { lockOwner } from '../plans/lock-owner.ts';
import type { PlanBook } from '../plans/plans.ts';
import { type CreatedKey, makeKey } from './create-key.ts';
import { requireFreeSlot } from './free-slot.ts';
import { lockOldKey, type OldKey, saveRevoked } from './key.repository.ts';
import { requireFuture, requireName } from './key-fields.ts';

export interface Replacement {
  /** The console session that replaces the key. */
  sessionId: string;
  replacesKeyId: string;
  /** Null: the old key's name. */
  name: string | null;
  /** ISO 8601; null: as the old key. */
  expiresAt: string | null;
}

/**
 * Revokes a key and creates another with its scopes, in this order and in one transaction: the old one keeps working where
 * the new one cannot be made. The new key expires with the old one or earlier. A paused key held no slot, so replacing it
 * needs one. Throws invalid_request, key_limit_reached, unauthorized, sign_in_again.
 */
export function replaceKey(database: Database, planBook: PlanBook, input: Replacement): Promise<CreatedKey> {
  const { sessionId } = input;
  if (input.name !== null) requireName(input.name);
  return inTransaction(database, async (connection) => {
    const owner = await lockOwner(connection, sessionId);
    await requireRecentSignIn(connection, sessionId);
    const expiresAt = await requireFuture(connection, input.expiresAt);
    const old = await requireReplaceable(connection, owner.accountId, { ...input, expiresAt });
    await saveRevoked(connection, owner.accountId, old.id);
    await requireFreeSlot(connection, planBook, owner);
    return makeKey(connection, owner.accountId, {
      sessionId,
      name: input.name ?? old.name,
      scopes: old.scopes,
      expiresAt: expiresAt ?? old.expires_at,
    });
  });
}

async function requireReplaceable(
  connection: Connection,
  accountId: string,
  replacement: Replacement,
): Promise<OldKey> {
  const old = await lockOldKey(connection, accountId, replacement);
  if (!old?.replaceable) {
    throw new DomainError(
      'invalid_request',
      'The key to be replaced must be an active or paused key of the same account. Create a key without replacing one.',
    );
  }
  if (old.too_late) {
    throw new DomainError(
      'invalid_request',
      `A key expires no later than the one that it replaces (${old.expires_at}). Create a key without replacing one.`,
    );
  }
  return old;
}
