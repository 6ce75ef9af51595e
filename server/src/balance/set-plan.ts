import type { Database } from '../database/connect.ts';
import { inTransaction } from '../database/transaction.ts';
import { changePeriod } from '../ledger/change-period.ts';
import { type LockedPlan, lockPlan } from '../plans/lock-plan.ts';
import { findPlan, givesNoLess, type PlanBook, periodBuckets, requirePlan } from '../plans/plans.ts';
import { savePlan } from './account-plan.repository.ts';

/** What a change of plan came to. */
export interface PlanChange {
  /** The plan that was in force until now, and still is where the new one counts from later on. */
  before: string;
  plan: string;
  /** Start of the month from which the new plan counts; null: at once. */
  from: string | null;
}

/**
 * Puts an account on a plan. One that gives no less of anything than the plan in force counts at once: the running month's
 * buckets are raised or opened, and a change that was to come is off. Any other counts from the next month on; this month
 * stays as it is. The plan in force again takes a coming change back. Keys that a lower plan has no slots for stay active.
 * Throws invalid_request, not_found.
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
    // A plan that the operator has taken out of the list gives nothing any more, so whatever follows is no less.
    const current = findPlan(planBook, before);
    if (current && !givesNoLess(plan, current)) {
      await savePlan(connection, account, name);
      return { before, plan: name, from: account.nextMonth };
    }
    const raised = { ...account, plan: name };
    await savePlan(connection, raised, null);
    await changePeriod(connection, raised, periodBuckets(planBook, raised), `plan ${before} to ${name}`);
    return { before, plan: name, from: null };
  });
}

/** An agreement to overage ends with a plan that has none: a later plan with overage has to be asked for it again. */
function withoutLapsedOverage(planBook: PlanBook, account: LockedPlan): LockedPlan {
  if (findPlan(planBook, account.plan)?.overageCapCredits) return account;
  return { ...account, overageEnabled: false, overageCap: null };
}
