import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { requireRecentSignIn } from '../callers/session.ts';
import { lockSessionAccount } from '../plans/lock-plan.ts';
import type { PlanBook } from '../plans/plans.ts';
import { type CreatedKey, insertNewKey, requireFreeKeySlot } from './create-key.ts';
import { lockOldKey, type OldKey, saveRevoked } from './key.queries.ts';
import { requireFutureExpiry, requireName } from './key-fields.ts';

export interface Replacement {
  /** Console session that replaces the key. */
  sessionId: string;
  replacesKeyId: string;
  /** Null keeps the name of the old key. */
  name: string | null;
  /** ISO 8601. Null keeps the expiry of the old key. */
  expiresAt: string | null;
}

/**
 * Revokes a key and then creates another with the same scopes and limits, in one transaction: if the new key cannot be created,
 * the old one stays active. The new key expires no later than the old one. A paused key does not count towards the
 * limit, so replacing it needs a free slot. Throws invalid_request, key_limit_reached, unauthorized, sign_in_again.
 */
export function replaceKey(database: Database, planBook: PlanBook, input: Replacement): Promise<CreatedKey> {
  const { sessionId } = input;
  if (input.name !== null) requireName(input.name);
  return inTransaction(database, async (connection) => {
    const owner = await lockSessionAccount(connection, sessionId);
    await requireRecentSignIn(connection, sessionId);
    const expiresAt = await requireFutureExpiry(connection, input.expiresAt);
    const old = await requireReplaceable(connection, owner.accountId, { ...input, expiresAt });
    await saveRevoked(connection, owner.accountId, old.id);
    await requireFreeKeySlot(connection, planBook, owner);
    return insertNewKey(connection, owner.accountId, {
      sessionId,
      name: input.name ?? old.name,
      scopes: old.scopes,
      expiresAt: expiresAt ?? old.expires_at,
      limits: { calls: old.monthly_calls, credits: old.monthly_credits },
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
      `The new key must expire no later than the key it replaces (${old.expires_at}). Choose an earlier expiry, or create a key without replacing one.`,
    );
  }
  return old;
}
