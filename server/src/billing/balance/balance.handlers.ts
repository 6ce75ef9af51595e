import type { PlanBook } from '../../access/plans/plans.ts';
import { findPlan, type Plan } from '../../access/plans/plans.ts';
import type { AccountBalance as WireBalance } from '../../generated/types.gen.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { HandlersOf } from '../../platform/http/contract/handlers-of.ts';
import { requireSession } from '../../platform/http/request-context.ts';
import type { AccountBucket } from '../ledger/account-buckets.ts';
import type { AccountBalance } from './account-balance.ts';
import { accountBalance } from './account-balance.ts';
import { readOverageChoice, setOwnOverage } from './change-plan.ts';

/** Amounts of a plan that is missing from the operator's list. */
const NOTHING: Plan = { activeKeys: 0, freeCalls: 0, includedCredits: 0, overageCapCredits: null };

/** Converts an account's plan, prices and balances to the API's format. */
function presentBalance(balance: AccountBalance, planBook: PlanBook): WireBalance {
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
  const periodFields = { period_kind: period, period_start: from, period_end: to };
  return { charge_source: source, unit, period: periodFields, total, used, held, left };
}

export interface BalanceHandlerParts {
  database: Database;
  planBook: PlanBook;
}

/** Creates the console's handlers for plan, balances and overage: they only translate requests and answers. */
export function createBalanceHandlers({
  database,
  planBook,
}: BalanceHandlerParts): HandlersOf<'getBalance' | 'setOverage'> {
  const balanceOf = async (accountId: string) =>
    presentBalance(await accountBalance(database, planBook, accountId), planBook);

  return {
    async getBalance(request) {
      const { accountId } = requireSession(request);
      return { status: 200, body: await balanceOf(accountId) };
    },
    async setOverage(request) {
      const { accountId, sessionId } = requireSession(request);
      const { enabled, cap = null } = request.body;
      await setOwnOverage(database, planBook, sessionId, readOverageChoice(enabled, cap));
      return { status: 200, body: await balanceOf(accountId) };
    },
  };
}
