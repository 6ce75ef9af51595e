import { v7 as uuidv7 } from 'uuid';
import type { Database } from '../database/connect.ts';
import { violates } from '../database/database-errors.ts';
import { inTransaction } from '../database/transaction.ts';
import { DomainError } from '../domain-error.ts';
import { type PlanBook, requirePlan } from '../plans/plans.ts';

const HANDLE = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{0,98}[A-Za-z0-9])?$/;

/** A handle of this shape could be taken for another account's id, or for what is left of a deleted account. */
const RESERVED = /^(deleted-)?[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

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
  if (!HANDLE.test(input.handle) || RESERVED.test(input.handle)) {
    throw new DomainError(
      'invalid_request',
      'A handle is 1 to 100 letters, digits, dots, hyphens or underscores, and begins and ends with a letter or digit; it may not look like an id.',
    );
  }
  requirePlan(planBook, input.plan);
  const created = inTransaction(database, async (connection) => {
    const taken = await connection.query(
      `SELECT 1 AS one FROM creator WHERE lower(handle) = lower($1) UNION ALL SELECT 1 FROM account WHERE lower(handle) = lower($1)`,
      [input.handle],
    );
    if (taken.length > 0) throw handleTaken(input.handle);
    const account = { id: uuidv7(), ...input };
    await connection.models.Account.create(account, { transaction: connection.transaction });
    return account;
  });
  // Two at once with one handle: the index lets one through.
  return created.catch((error) => {
    throw violates(error, 'account_handle') ? handleTaken(input.handle) : error;
  });
}

function handleTaken(handle: string): DomainError {
  return new DomainError(
    'handle_taken',
    `The handle ${handle} is borne by an account or creator here. Choose another, or prove that account.`,
  );
}
