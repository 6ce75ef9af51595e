import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { credentialError } from '../../platform/http/credentials/principal.ts';
import {
  findSessionAccount,
  findUnlistedPlans,
  lockAccount,
  lockActiveSession,
  type UnlistedPlan,
} from './plan.queries.ts';
import type { PlanBook, PlanSettings } from './plans.ts';

/** Plan and overage settings of a locked account. */
export interface LockedPlan extends PlanSettings {
  accountId: string;
  /** Start of the current month and of the next one. */
  month: string;
  nextMonth: string;
}

/**
 * Locks the account's row until the transaction ends. No other transaction can then change the account's plan or
 * overage, create or resume a key, or create the buckets of a new month. Call it before locking any bucket or key, so
 * that all transactions lock in one order. Throws not_found, and invalid_request for a deleted account.
 */
export async function lockPlan(connection: Connection, accountId: string): Promise<LockedPlan> {
  const found = await lockAccount(connection, accountId);
  if (!found) throw new DomainError('not_found', 'There is no such account.');
  const { deleted, ...account } = found;
  if (deleted) throw new DomainError('invalid_request', 'The account was deleted, which is final.');
  return account;
}

/**
 * Locks an active session and its account, and returns the account. The session cannot be ended before the transaction
 * ends. Throws unauthorized; key_paused if the account is suspended; invalid_request if it was deleted.
 */
export async function lockSessionAccount(connection: Connection, sessionId: string): Promise<LockedPlan> {
  const accountId = await findSessionAccount(connection, sessionId);
  if (accountId === null) throw credentialError.sessionEnded();
  const owner = await lockPlan(connection, accountId);
  const living = await lockActiveSession(connection, sessionId);
  if (!living) throw credentialError.sessionEnded();
  if (living.suspended) throw credentialError.suspended();
  return owner;
}

/**
 * Throws an Error if an account uses a plan that is missing from the operator's list. The message names every such
 * plan, some of its accounts, and what to do.
 */
export async function requireListedPlans(
  connection: Connection,
  planBook: PlanBook,
  path: string,
): Promise<void> {
  const unlisted = await findUnlistedPlans(connection, Object.keys(planBook.plans));
  if (unlisted.length === 0) return;
  throw new Error(
    `PLANS_FILE ${path} lacks ${unlisted.map(describe).join(' and ')}. Put the plan back into the file, or move each account to another plan: plan set --account <handle> --plan free.`,
  );
}

function describe({ plan, accounts, some }: UnlistedPlan): string {
  const others = accounts > some.length ? ` and ${accounts - some.length} more` : '';
  return `the plan "${plan}" of ${accounts} account${accounts === 1 ? '' : 's'} (${some.join(', ')}${others})`;
}
