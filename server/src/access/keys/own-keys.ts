import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { type LockedPlan, lockPlan, lockSessionAccount } from '../plans/lock-plan.ts';
import type { PlanBook } from '../plans/plans.ts';
import { requireFreeKeySlot } from './create-key.ts';
import {
  findKey,
  lockSharingKeys,
  lockUsableKey,
  saveLimits,
  savePaused,
  saveResumed,
  saveRevoked,
} from './key.queries.ts';
import { type KeyLimits, type KeyRecord, requireKey } from './key-fields.ts';

/**
 * Pauses a key of the session's account and returns it. A paused key stays paused. Throws not_found; unauthorized;
 * key_paused if the account is suspended; invalid_request for a revoked or expired key.
 */
export function pauseOwnKey(database: Database, sessionId: string, keyId: string): Promise<KeyRecord> {
  return asOwner(database, sessionId, keyId, (connection, { accountId }) =>
    pauseKey(connection, accountId, keyId),
  );
}

/**
 * Resumes a paused key if the plan's limit of active keys allows it. Throws key_limit_reached, and the errors of
 * `pauseOwnKey`.
 */
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

/**
 * Revokes a key permanently, whether it is active, paused or expired, and returns it. A revoked key stays revoked.
 * Throws not_found; unauthorized; key_paused if the account is suspended.
 */
export function revokeOwnKey(database: Database, sessionId: string, keyId: string): Promise<KeyRecord> {
  return asOwner(database, sessionId, keyId, (connection, { accountId }) =>
    saveRevoked(connection, accountId, keyId),
  );
}

/**
 * Sets the monthly limits of a key of the session's account and returns the key. `spending.excludeCalls` waits for
 * statements that are opening runs of the key, and holds back new ones until the transaction ends, so that the count
 * misses no call. `spending.recount`, called after the limits are stored, counts what the key and the keys that it has
 * replaced have spent this month, with what their open runs hold. Throws not_found; unauthorized;
 * key_paused if the account is suspended; invalid_request for a revoked or expired key.
 */
export function limitOwnKey(
  database: Database,
  sessionId: string,
  keyId: string,
  limits: KeyLimits,
  spending: {
    excludeCalls(connection: Connection, keyId: string): Promise<void>;
    recount(connection: Connection, accountId: string, keyId: string): Promise<void>;
  },
): Promise<KeyRecord> {
  const limit = async (connection: Connection, { accountId }: LockedPlan) => {
    await lockSharingKeys(connection, accountId, keyId);
    const key = await lockUsableKey(connection, accountId, keyId);
    if (!key) return refuse(connection, accountId, keyId);
    await spending.excludeCalls(connection, key.id);
    await saveLimits(connection, accountId, key, limits);
    await spending.recount(connection, accountId, key.id);
  };
  return asOwner(database, sessionId, keyId, limit);
}

/**
 * Runs `change` in a transaction that locks the session and its account, so that neither can be ended or deleted
 * meanwhile. Returns the changed key.
 */
function asOwner(
  database: Database,
  sessionId: string,
  keyId: string,
  change: (connection: Connection, owner: LockedPlan) => Promise<unknown>,
): Promise<KeyRecord> {
  return inTransaction(database, async (connection) => {
    const owner = await lockSessionAccount(connection, sessionId);
    await change(connection, owner);
    return requireKey(connection, owner.accountId, keyId);
  });
}

/**
 * Revokes a key permanently. All processes refuse every request with it that they receive afterwards. Throws not_found
 * if the account has no such key, or the key was already revoked.
 */
export async function revokeKey(
  connection: Connection,
  { id, handle }: { id: string; handle: string | null },
  keyId: string,
): Promise<void> {
  if (await saveRevoked(connection, id, keyId)) return;
  throw new DomainError(
    'not_found',
    `The account ${handle ?? id} has no active, paused or expired key ${keyId}. List its keys with: keys list.`,
  );
}

/**
 * Pauses a key of the account. Until it is resumed, all processes refuse requests with it, and it does not count
 * towards the limit of active keys. A paused key stays paused. Throws not_found, and invalid_request for a revoked or
 * expired key.
 */
export async function pauseKey(connection: Connection, accountId: string, keyId: string): Promise<void> {
  if (!(await savePaused(connection, accountId, keyId))) await refuse(connection, accountId, keyId);
}

/**
 * Resumes a paused key if the plan's limit of active keys allows it; concurrent requests cannot exceed the limit. An
 * active key stays active. Throws not_found, key_limit_reached, and invalid_request for a revoked or expired key.
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

/** Resumes a key within a transaction that has locked its account. */
async function resumeLockedKey(
  connection: Connection,
  planBook: PlanBook,
  owner: LockedPlan,
  keyId: string,
): Promise<void> {
  const key = await lockUsableKey(connection, owner.accountId, keyId);
  if (!key) return refuse(connection, owner.accountId, keyId);
  if (!key.paused) return;
  await requireFreeKeySlot(connection, planBook, owner);
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
