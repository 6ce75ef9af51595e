import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import type { LockedPlan } from '../plans/lock-plan.ts';
import { type PlanBook, planOf } from '../plans/plans.ts';
import { countWorkingKeys } from './key.repository.ts';

/**
 * Throws key_limit_reached unless the plan in force has a slot left for one more working key. Revoked, paused and expired
 * keys hold none. The caller has locked the account.
 */
export async function requireFreeSlot(
  connection: Connection,
  planBook: PlanBook,
  { accountId, plan }: LockedPlan,
): Promise<void> {
  const limit = planOf(planBook, plan).activeKeys;
  if ((await countWorkingKeys(connection, accountId)) < limit) return;
  const many = limit === 1 ? 'one active key' : `${limit} active keys`;
  throw new DomainError('key_limit_reached', `The ${plan} plan has ${many}. Revoke a key first.`);
}
