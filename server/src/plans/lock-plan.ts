import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { lockAccount } from './plan.repository.ts';
import type { PlanStanding } from './plans.ts';

/** An account's plan and agreements as they are while its row is locked. */
export interface LockedPlan extends PlanStanding {
  accountId: string;
  /** Start of the running month, and of the next one. */
  month: string;
  nextMonth: string;
}

/**
 * Locks the account's row against every other change of its plan, keys and agreements, and against the opening of a month.
 * Taken before any bucket or key. Throws not_found, and invalid_request for a deleted account.
 */
export async function lockPlan(connection: Connection, accountId: string): Promise<LockedPlan> {
  const found = await lockAccount(connection, accountId);
  if (!found) throw new DomainError('not_found', 'There is no such account.');
  const { deleted, ...account } = found;
  if (deleted) throw new DomainError('invalid_request', 'The account was deleted, which is final.');
  return account;
}
