import { v7 as uuidv7 } from 'uuid';
import type { Connection, Database } from '../database/connect.ts';
import { violates } from '../database/database-errors.ts';
import { inTransaction } from '../database/transaction.ts';
import { handleTaken, requireHandle } from '../handles/handle-rules.ts';
import { requireFreeHandle } from '../handles/require-free-handle.ts';
import { type PlanBook, requirePlan } from '../plans/plans.ts';
import { insertAccount } from './account.repository.ts';

export interface Account {
  id: string;
  handle: string;
  plan: string;
}

/**
 * Creates an account with its creator handle. A handle that an account, repository owner or creator in the registry
 * has is refused: it is taken over by proof, not by asking. Throws invalid_request, handle_taken.
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
  // Two at once with one handle: the index lets one through.
  return created.catch((error) => {
    throw violates(error, 'account_handle') ? handleTaken(input.handle) : error;
  });
}

/** What a newcomer's account begins with. */
const FIRST_PLAN = 'free';

/** Creates the account of a first sign-in, whose owner chooses a handle later, or never. Answers its id. */
export async function createUnnamedAccount(connection: Connection): Promise<string> {
  const id = uuidv7();
  await insertAccount(connection, { id, handle: null, plan: FIRST_PLAN });
  return id;
}
