import { v7 as uuidv7 } from 'uuid';
import { type PlanBook, requirePlan } from '../access/plans/plans.ts';
import { handleTaken, requireFreeHandle, requireHandle } from '../ownership/handles/handle-rules.ts';
import type { Connection, Database } from '../platform/database/connect.ts';
import { violates } from '../platform/database/database-errors.ts';
import { inTransaction } from '../platform/database/transaction.ts';
import { insertAccount } from './account-changes.queries.ts';

export interface Account {
  id: string;
  handle: string;
  plan: string;
}

/**
 * Creates an account with its creator handle. Refuses a handle of an existing account, repository owner or creator in
 * the registry: claiming that needs a proof. Throws invalid_request, handle_taken.
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
  // The unique index decides between concurrent creates with one handle.
  return created.catch((error) => {
    throw violates(error, 'account_handle') ? handleTaken(input.handle) : error;
  });
}

/** Plan of a new account. */
const FIRST_PLAN = 'free';

/** Creates the account of a first sign-in, whose owner may choose a handle later. Returns its id. */
export async function createUnnamedAccount(connection: Connection): Promise<string> {
  const id = uuidv7();
  await insertAccount(connection, { id, handle: null, plan: FIRST_PLAN });
  return id;
}
