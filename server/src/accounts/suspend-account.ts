import { lockLivingAccount } from '../callers/lock-living-account.ts';
import type { Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { saveSuspension } from './account.repository.ts';

/**
 * Suspends an account: no request with one of its keys or sessions that is received after this returns is taken, until
 * the account is resumed. Keys, sessions, plan and balances stay as they are. Twice is the same as once. Throws not_found,
 * and invalid_request for a deleted account.
 */
export function suspendAccount(database: Database, accountId: string): Promise<void> {
  return change(database, accountId, true);
}

/** Takes the suspension back; keys that are active and sessions that still live work again. Throws as suspending does. */
export function resumeAccount(database: Database, accountId: string): Promise<void> {
  return change(database, accountId, false);
}

function change(database: Database, accountId: string, isSuspended: boolean): Promise<void> {
  return inTransaction(database, async (connection) => {
    await lockLivingAccount(connection, accountId);
    await saveSuspension(connection, accountId, isSuspended);
  });
}
