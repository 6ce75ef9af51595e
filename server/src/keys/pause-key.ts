import type { Connection, Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import { type LockedPlan, lockPlan } from '../plans/lock-plan.ts';
import type { PlanBook } from '../plans/plans.ts';
import { requireFreeSlot } from './free-slot.ts';
import { findKey, lockLivingKey, savePaused, saveResumed } from './key.repository.ts';
import type { KeyRecord } from './key.ts';

/**
 * Pauses a key of the account: requests received after this returns are refused, on every process, until it is resumed.
 * It gives its slot back. A paused key stays as it is. Throws not_found, and invalid_request for a revoked or expired one.
 */
export async function pauseKey(connection: Connection, accountId: string, keyId: string): Promise<void> {
  if (!(await savePaused(connection, accountId, keyId))) await refuse(connection, accountId, keyId);
}

/**
 * Lets a paused key work again, where the plan has a slot for it: two at once on one slot resume one. An active key stays
 * as it is. Throws not_found, key_limit_reached, and invalid_request for a revoked or expired one.
 */
export function resumeKey(
  database: Database,
  planBook: PlanBook,
  accountId: string,
  keyId: string,
): Promise<void> {
  return inTransaction(database, async (connection) =>
    resumeLockedKey(connection, planBook, await lockPlan(connection, accountId), keyId),
  );
}

/** The same in the transaction that has locked the key's account. */
export async function resumeLockedKey(
  connection: Connection,
  planBook: PlanBook,
  owner: LockedPlan,
  keyId: string,
): Promise<void> {
  const key = await lockLivingKey(connection, owner.accountId, keyId);
  if (!key) return refuse(connection, owner.accountId, keyId);
  if (!key.paused) return;
  await requireFreeSlot(connection, planBook, owner);
  await saveResumed(connection, key.id);
}

async function refuse(connection: Connection, accountId: string, keyId: string): Promise<never> {
  const key = await findKey(connection, accountId, keyId);
  if (!key) throw new DomainError('not_found', 'The account has no access key with this id.');
  throw new DomainError('invalid_request', WHY_NOT[key.state]);
}

const WHY_NOT: Record<KeyRecord['state'], string> = {
  revoked: 'The access key was revoked, which is final. Create a new one.',
  expired: 'The access key has expired. Create a new one.',
  inactive: 'The access key is paused.',
  active: 'The access key is active.',
};
