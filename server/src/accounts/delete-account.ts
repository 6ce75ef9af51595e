import { lockExistingAccount } from '../access/callers/lock-credential.ts';
import { endCredentials } from '../access/callers/session.ts';
import { lockPlan } from '../access/plans/lock-plan.ts';
import { accountKey } from '../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys } from '../catalog/registry-locks.ts';
import { detachCreators } from '../ownership/handles/follow-rename.ts';
import { removeAllLinks } from '../ownership/proofs/remove-linked-account.ts';
import type { Connection, Database } from '../platform/database/connect.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { scoreInline } from '../scoring/batches/score-inline.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { saveDeletion, saveSuspension } from './account-changes.queries.ts';

/**
 * Deletes an account permanently: revokes its keys, ends its sessions, removes its proofs, and frees its handle
 * unless a creator has it. The row remains as `deleted-<id>`, and receipts, ledger and listings remain. Values that
 * came with a proof return to the registry's last ones, and its creator has no owner. Requests received afterwards
 * are refused. Throws not_found, and invalid_request if it is already deleted.
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
    // Sign-in links need no end: redeeming one asks whether the account lives.
    await endCredentials(connection, accountId);
    return owed;
  });
  await scoreInline(database, backend, due);
}

/** Removes flags that depended on the account's proofs; returns the subjects to score again. */
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
