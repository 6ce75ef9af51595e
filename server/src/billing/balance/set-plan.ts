import { type LockedPlan, lockPlan } from '../../access/plans/lock-plan.ts';
import { findPlan, isAtLeast, type PlanBook, periodBuckets, requirePlan } from '../../access/plans/plans.ts';
import type { Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { changePeriod } from '../ledger/change-period.ts';
import { savePlan } from './account-plan.queries.ts';

/** Result of a plan change. */
export interface PlanChange {
  /** Plan in force until now (and until `from`, if the change is scheduled). */
  before: string;
  plan: string;
  /** Start of the month in which the new plan takes effect; null: immediately. */
  from: string | null;
}

/**
 * Changes an account's plan. A plan that reduces nothing takes effect immediately: raises or opens the current
 * month's buckets and cancels a scheduled change. Any other plan takes effect next month; this month stays the same.
 * Setting the current plan again cancels a scheduled change. Keys beyond a lower plan's limit stay active. Throws
 * invalid_request, not_found.
 */
export async function setPlan(
  database: Database,
  planBook: PlanBook,
  accountId: string,
  name: string,
): Promise<PlanChange> {
  const plan = requirePlan(planBook, name);
  return inTransaction(database, async (connection) => {
    const account = withoutLapsedOverage(planBook, await lockPlan(connection, accountId));
    const before = account.plan;
    // A plan missing from the operator's list grants nothing, so no new plan can reduce it.
    const current = findPlan(planBook, before);
    if (current && !isAtLeast(plan, current)) {
      await savePlan(connection, account, name);
      return { before, plan: name, from: account.nextMonth };
    }
    const raised = { ...account, plan: name };
    await savePlan(connection, raised, null);
    await changePeriod(connection, raised, periodBuckets(planBook, raised), `plan ${before} to ${name}`);
    return { before, plan: name, from: null };
  });
}

/** Disables overage if the plan has none; the owner must enable it again on a later plan. */
function withoutLapsedOverage(planBook: PlanBook, account: LockedPlan): LockedPlan {
  if (findPlan(planBook, account.plan)?.overageCapCredits) return account;
  return { ...account, overageEnabled: false, overageCap: null };
}
