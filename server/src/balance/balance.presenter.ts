import type { AccountBalance as WireBalance } from '../generated/types.gen.ts';
import type { AccountBucket } from '../ledger/account-buckets.ts';
import { findPlan, type Plan, type PlanBook } from '../plans/plans.ts';
import type { AccountBalance } from './account-balance.ts';

/** What a plan gives that the operator has taken out of the list. */
const NOTHING: Plan = { activeKeys: 0, freeCalls: 0, includedCredits: 0, overageCapCredits: null };

/** An account's plan, prices and balances under the wire's names. */
export function presentBalance(balance: AccountBalance, planBook: PlanBook): WireBalance {
  const plan = findPlan(planBook, balance.plan) ?? NOTHING;
  return {
    plan: balance.plan,
    plan_limits: {
      active_keys: plan.activeKeys,
      free_calls: plan.freeCalls,
      included_credits: plan.includedCredits,
      overage_credits: plan.overageCapCredits,
    },
    next_plan: balance.nextPlan,
    next_plan_from: balance.nextPlanFrom,
    overage: { enabled: balance.overageEnabled, cap: balance.overageCap },
    prices: { ...planBook.prices },
    buckets: balance.buckets.map(presentBucket),
  };
}

function presentBucket({ source, unit, period, from, to, total, used, held, left }: AccountBucket) {
  const of = { period_kind: period, period_start: from, period_end: to };
  return { charge_source: source, unit, period: of, total, used, held, left };
}
