import { v7 as uuidv7 } from 'uuid';
import { endCredentials, lockExistingAccount } from '../access/callers/session.ts';
import { lockPlan } from '../access/plans/lock-plan.ts';
import { type PlanBook, requirePlan } from '../access/plans/plans.ts';
import { accountKey } from '../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys } from '../catalog/registry-locks.ts';
import { handleTaken, requireFreeHandle, requireHandle } from '../ownership/handles/choose-handle.ts';
import { detachCreators } from '../ownership/handles/follow-host.ts';
import { removeAllLinks } from '../ownership/proofs/link-account.ts';
import type { Connection, Database } from '../platform/database/connect.ts';
import { violates } from '../platform/database/database-errors.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { scoreInline } from '../scoring/batches/score-subjects.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { insertAccount, saveDeletion, saveSuspension } from './account-changes.queries.ts';

export interface Account {
  id: string;
  handle: string;
  plan: string;
}

/**
 * Creates an account with a handle, under which its creator will be shown. Throws handle_taken if an account,
 * repository owner or creator in the directory already has the handle, because taking it over requires a proof. Throws
 * invalid_request for an invalid handle or an unknown plan.
 */
export async function createAccount(
  database: Database,
  planBook: PlanBook,
  input: { handle: string; plan: string },
): Promise<Account> {
  requireHandle(input.handle);
  requirePlan(planBook, input.plan);
  const created = inTransaction(database, async (connection) => {
    await requireFreeHandle(connection, input.handle);
    const account = { id: uuidv7(), ...input };
    await insertAccount(connection, account);
    return account;
  });
  // If two accounts are created with the same handle at the same time, the unique index rejects the second.
  return created.catch((error) => {
    throw violates(error, 'account_handle') ? handleTaken(input.handle) : error;
  });
}

/** Plan of an account that a first sign-in creates. */
const FIRST_PLAN = 'free';

/** Creates the account of a first sign-in, whose owner may choose a handle later. Returns its id. */
export async function createUnnamedAccount(connection: Connection): Promise<string> {
  const id = uuidv7();
  await insertAccount(connection, { id, handle: null, plan: FIRST_PLAN });
  return id;
}

/**
 * Deletes an account permanently: revokes its keys, ends its sessions and removes its proofs. Listings that it received
 * through a proof get their former texts back. The account's creators become unclaimed and keep their handles. The
 * account's row remains with the handle `deleted-<id>`, and so do its receipts, ledger entries and listings. Its former
 * handle is free for a new account, unless a creator or the owner in a listed `owner/repo` has that name. Throws
 * not_found, and invalid_request if the account is already deleted.
 */
export async function deleteAccount(
  database: Database,
  backend: ScoringBackend,
  accountId: string,
): Promise<void> {
  const due = await inRegistryTransaction(database, async (connection) => {
    await lockPlan(connection, accountId);
    // Locks the account's credentials before it calls `lockKeys`, in the same order as every request
    // (`lockCredential`). Sign-in links need no deletion: redeeming one checks that its account is not deleted.
    await endCredentials(connection, accountId);
    const owed = await removeProofs(connection, accountId);
    await saveDeletion(connection, accountId);
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
 * and buckets stay unchanged. Idempotent. Throws not_found, and invalid_request for a deleted account.
 */
export function suspendAccount(database: Database, accountId: string): Promise<void> {
  return setSuspension(database, accountId, true);
}

/** Resumes a suspended account: its active keys and sessions work again. Throws the same errors as suspending. */
export function resumeAccount(database: Database, accountId: string): Promise<void> {
  return setSuspension(database, accountId, false);
}

function setSuspension(database: Database, accountId: string, isSuspended: boolean): Promise<void> {
  return inTransaction(database, async (connection) => {
    await lockExistingAccount(connection, accountId);
    await saveSuspension(connection, accountId, isSuspended);
  });
}
