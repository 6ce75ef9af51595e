import type { Connection, Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { lockOwner } from '../plans/lock-owner.ts';
import type { LockedPlan } from '../plans/lock-plan.ts';
import type { PlanBook } from '../plans/plans.ts';
import { saveRevoked } from './key.repository.ts';
import type { KeyRecord } from './key.ts';
import { pauseKey, resumeLockedKey } from './pause-key.ts';
import { requireKey } from './require-key.ts';

/**
 * Pauses a key of the session's account and answers it as it then is; a paused one stays so. Throws not_found,
 * unauthorized, and invalid_request for a revoked or expired one.
 */
export function pauseOwnKey(database: Database, sessionId: string, keyId: string): Promise<KeyRecord> {
  return asOwner(database, sessionId, keyId, (connection, { accountId }) =>
    pauseKey(connection, accountId, keyId),
  );
}

/** Lets it work again, where the plan has a slot for it. Throws the same, and key_limit_reached. */
export function resumeOwnKey(
  database: Database,
  planBook: PlanBook,
  sessionId: string,
  keyId: string,
): Promise<KeyRecord> {
  return asOwner(database, sessionId, keyId, (connection, owner) =>
    resumeLockedKey(connection, planBook, owner, keyId),
  );
}

/** Revokes it for good, paused and expired ones too; a revoked one stays so. Throws not_found, unauthorized. */
export function revokeOwnKey(database: Database, sessionId: string, keyId: string): Promise<KeyRecord> {
  return asOwner(database, sessionId, keyId, (connection, { accountId }) =>
    saveRevoked(connection, accountId, keyId),
  );
}

/** One change of a key, in one transaction that no sign-out can come before the end of. */
function asOwner(
  database: Database,
  sessionId: string,
  keyId: string,
  change: (connection: Connection, owner: LockedPlan) => Promise<unknown>,
): Promise<KeyRecord> {
  return inTransaction(database, async (connection) => {
    const owner = await lockOwner(connection, sessionId);
    await change(connection, owner);
    return requireKey(connection, owner.accountId, keyId);
  });
}
