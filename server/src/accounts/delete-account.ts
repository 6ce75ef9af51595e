import { endCredentials, lockExistingAccount } from '../access/callers/session.ts';
import { lockPlan } from '../access/plans/lock-plan.ts';
import { accountKey } from '../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys } from '../catalog/registry-locks.ts';
import { detachCreators } from '../ownership/handles/follow-host.ts';
import { removeAllLinks } from '../ownership/proofs/link-account.ts';
import type { Connection, Database } from '../platform/database/connect.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { scoreInline } from '../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { saveDeletion, saveSuspension } from './account-changes.queries.ts';

/**
 * Deletes an account permanently: revokes its keys, ends its sessions and removes its proofs. Others can then take its
 * handle, unless a creator is still shown under that handle. Listings that the account got through a proof show their
 * last imported texts again. The account's creators then have no owner. The row remains as `deleted-<id>`, with
 * receipts, ledger entries and listings. Throws not_found, and invalid_request if the account is already deleted.
 */
export async function deleteAccount(
  database: Database,
  backend: ScoringBackend,
  accountId: string,
): Promise<void> {
  const due = await inRegistryTransaction(database, async (connection) => {
    await lockPlan(connection, accountId);
    const owed = await removeProofs(connection, accountId);
    await saveDeletion(connection, accountId);
    // Sign-in links need no deletion: redeeming one checks that the account is not deleted.
    await endCredentials(connection, accountId);
    return owed;
  });
  await scoreInline(database, backend, due);
}

/** Removes the account's proofs and detaches its creators; returns the subjects whose score depended on the proofs. */
async function removeProofs(connection: Connection, accountId: string): Promise<string[]> {
  await lockKeys(connection, [accountKey(accountId)]);
  const due = await removeAllLinks(connection, accountId);
  await detachCreators(connection, accountId);
  return due;
}

/**
 * Suspends an account: later requests with its keys or sessions are refused until it is resumed. Keys, sessions, plan
 * and buckets do not change. Idempotent. Throws not_found, and invalid_request for a deleted account.
 */
export function suspendAccount(database: Database, accountId: string): Promise<void> {
  return change(database, accountId, true);
}

/** Resumes a suspended account: its active keys and sessions work again. Throws the same errors as suspending. */
export function resumeAccount(database: Database, accountId: string): Promise<void> {
  return change(database, accountId, false);
}

function change(database: Database, accountId: string, isSuspended: boolean): Promise<void> {
  return inTransaction(database, async (connection) => {
    await lockExistingAccount(connection, accountId);
    await saveSuspension(connection, accountId, isSuspended);
  });
}
