import type { Connection, Database } from '../database/connect.ts';
import { retryConflicts } from '../database/retry-conflicts.ts';
import { inTransaction } from '../database/transaction.ts';
import { scoreNow } from '../scoring/score-now.ts';
import type { ScoringBackend } from '../scoring/scoring-backend.ts';
import { takeHandle } from './take-handle.ts';

export interface HandleChoice {
  accountId: string;
  handle: string;
  /** Reads the caller's session again, for the length of the transaction; throws unauthorized and sign_in_again. */
  lockRecentSignIn(connection: Connection): Promise<void>;
}

/**
 * Gives an account the creator handle that its owner chose, its first one or another. Throws invalid_request for a handle
 * of the wrong form, handle_taken for one that an account, a creator or an owner of listed repositories has whom the
 * account has not proved to be, and what lockRecentSignIn throws.
 */
export async function chooseHandle(
  database: Database,
  backend: ScoringBackend,
  { accountId, handle, lockRecentSignIn }: HandleChoice,
): Promise<void> {
  const due = await retryConflicts(() =>
    inTransaction(database, async (connection) => {
      await lockRecentSignIn(connection);
      return takeHandle(connection, accountId, handle);
    }),
  );
  await scoreNow(database, backend, due);
}
