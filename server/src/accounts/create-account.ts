import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../database/connect.ts';
import { violates } from '../database/database-errors.ts';
import { inTransaction } from '../database/transaction.ts';
import { isBorne } from '../handles/take-handle.repository.ts';
import { type PlanBook, requirePlan } from '../plans/plans.ts';
import { handleTaken, requireHandle } from '../registry/creators/creator-handle.ts';

export interface Account {
  id: string;
  handle: string;
  plan: string;
}

/**
 * Creates an account with its creator handle. A handle that an account, repository owner or creator in the registry
 * bears is refused: it is taken over by proof, not by asking. Throws invalid_request, handle_taken.
 */
export async function createAccount(
  database: Database,
  planBook: PlanBook,
  input: { handle: string; plan: string },
): Promise<Account> {
  requireHandle(input.handle);
  requirePlan(planBook, input.plan);
  const created = inTransaction(database, async (connection) => {
    if (await isBorne(connection, input.handle)) throw handleTaken(input.handle);
    const account = { id: uuidv7(), ...input };
    await connection.models.Account.create(account, { transaction: connection.transaction });
    return account;
  });
  // Two at once with one handle: the index lets one through.
  return created.catch((error) => {
    throw violates(error, 'account_handle') ? handleTaken(input.handle) : error;
  });
}
