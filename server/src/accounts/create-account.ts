import { v7 as uuidv7 } from 'uuid';
import { type PlanBook, requirePlan } from '../access/plans/plans.ts';
import { handleTaken, requireFreeHandle, requireHandle } from '../ownership/handles/choose-handle.ts';
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
  // If two accounts are created with one handle at the same time, the unique index rejects the second.
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
