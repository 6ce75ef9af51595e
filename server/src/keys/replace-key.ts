import type { Scope } from '../callers/principal.ts';
import { requireRecentSignIn } from '../callers/recent-sign-in.ts';
import type { Connection, Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import { lockOwner } from '../plans/lock-owner.ts';
import type { PlanBook } from '../plans/plans.ts';
import { type CreatedKey, insertKey } from './create-key.ts';
import { requireFreeSlot } from './free-slot.ts';
import { revokeKey } from './key.repository.ts';
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

interface OldKey {
  id: string;
  name: string;
  scopes: Scope[];
  expires_at: string | null;
  replaceable: boolean;
  /** The wished expiry is later than the old key's. */
  too_late: boolean;
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
    const old = await lockOldKey(connection, owner.accountId, { ...input, expiresAt });
    await revokeKey(connection, owner.accountId, old.id);
    await requireFreeSlot(connection, planBook, owner);
    return insertKey(connection, owner.accountId, {
      sessionId,
      name: input.name ?? old.name,
      scopes: old.scopes,
      expiresAt: expiresAt ?? old.expires_at,
    });
  });
}

async function lockOldKey(
  connection: Connection,
  accountId: string,
  { replacesKeyId, expiresAt }: Replacement,
): Promise<OldKey> {
  const [old] = await connection.query<OldKey>(
    `SELECT id, name, scopes, utc_text(expires_at) AS expires_at, coalesce($3::timestamptz > expires_at, false) AS too_late,
       revoked_at IS NULL AND (expires_at IS NULL OR expires_at > ledger_now()) AS replaceable
     FROM access_key WHERE account_id = $1 AND id::text = lower($2) FOR NO KEY UPDATE`,
    [accountId, replacesKeyId, expiresAt],
  );
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
