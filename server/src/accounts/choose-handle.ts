import type { Connection, Database } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { inTransaction } from '../database/transaction.ts';
import { takeHandle } from '../identity/take-handle.ts';

/**
 * Gives an account the creator handle that its owner chose, its first one or another. `lockCredential` reads the caller's
 * session again for the length of the transaction. Throws invalid_request for a handle of the wrong form, handle_taken for
 * one that an account, a creator or an owner of listed repositories bears whom the account has not proved to be, and 401
 * where the session lives no more.
 */
export async function chooseHandle(
  database: Database,
  accountId: string,
  handle: string,
  lockCredential: (connection: Connection) => Promise<void>,
): Promise<void> {
  await retryConflicts(() =>
    inTransaction(database, async (connection) => {
      await lockCredential(connection);
      await takeHandle(connection, accountId, handle);
    }),
  );
}
