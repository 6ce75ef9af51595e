import type { Connection } from '../database/connect.ts';
import { findPlan, type PlanBook } from '../plans/plans.ts';
import { countWorkingKeys } from './key.repository.ts';

/** An account's working keys against what its plan allows. */
export interface KeySlots {
  plan: string;
  /** Keys that work now. */
  taken: number;
  /** Keys that may work at the same time. After a change to a lower plan more may do so than this. */
  limit: number;
}

/** How many keys an account on this plan (the one in force) has at work, and how many it may have. */
export async function keySlots(
  connection: Connection,
  planBook: PlanBook,
  { accountId, plan }: { accountId: string; plan: string },
): Promise<KeySlots> {
  const taken = await countWorkingKeys(connection, accountId);
  // A plan that the operator has taken out of the list has no slots, but must not hide the keys there are.
  return { plan, taken, limit: findPlan(planBook, plan)?.activeKeys ?? 0 };
}
