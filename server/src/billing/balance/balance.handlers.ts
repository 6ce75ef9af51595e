import { presentKey } from '../../access/keys/keys.handlers.ts';
import type { PlanBook } from '../../access/plans/plans.ts';
import { findPlan, type Plan } from '../../access/plans/plans.ts';
import type { KeySpending, AccountBalance as WireBalance } from '../../generated/types.gen.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { HandlersOf } from '../../platform/http/contract/handlers-of.ts';
import { requirePrincipal, requireSession } from '../../platform/http/request-context.ts';
import type { AccountBucket } from '../ledger/account-buckets.ts';
import type { AccountBalance } from './account-balance.ts';
import { accountBalance } from './account-balance.ts';
import { readOverageChoice, setOwnOverage } from './change-plan.ts';
import { readKeySpending, setOwnKeyLimits } from './key-limits.ts';
import type { KeySpendingRow } from './key-spending.queries.ts';

/** Amounts that are shown for a plan that is missing from the operator's list of plans. */
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

function presentSpending({ id, from, to, ...spending }: KeySpendingRow): KeySpending {
  const { monthlyCalls, monthlyCredits, calls, credits } = spending;
  const limits = [...limitOf('call', monthlyCalls, calls), ...limitOf('credit', monthlyCredits, credits)];
  return { id, limits, period: { period_kind: 'month', period_start: from, period_end: to } };
}

function limitOf(unit: 'call' | 'credit', total: number | null, used: number): KeySpending['limits'] {
  return total === null ? [] : [{ unit, total, used, left: Math.max(0, total - used) }];
}

export interface BalanceHandlerParts {
  database: Database;
  planBook: PlanBook;
}

/** Creates the handlers for plan, balances, overage and limits of keys. They only translate requests and answers. */
export function createBalanceHandlers({
  database,
  planBook,
}: BalanceHandlerParts): HandlersOf<'getBalance' | 'readBalance' | 'setOverage' | 'setKeyLimits'> {
  const balanceOf = async (accountId: string) =>
    presentBalance(await accountBalance(database, planBook, accountId), planBook);

  return {
    async getBalance(request) {
      const { accountId } = requireSession(request);
      return { status: 200, body: await balanceOf(accountId) };
    },
    async readBalance(request) {
      const { accountId, keyId } = requirePrincipal(request);
      const balance = await balanceOf(accountId);
      const spending = await readKeySpending(database, accountId, keyId);
      return { status: 200, body: { ...balance, access_key: spending && presentSpending(spending) } };
    },
    async setKeyLimits(request) {
      const { sessionId } = requireSession(request);
      const { monthly_calls: calls, monthly_credits: credits } = request.body;
      const key = await setOwnKeyLimits(database, sessionId, request.params.id, { calls, credits });
      return { status: 200, body: presentKey(key) };
    },
    async setOverage(request) {
      const { accountId, sessionId } = requireSession(request);
      const { enabled, cap = null } = request.body;
      await setOwnOverage(database, planBook, sessionId, readOverageChoice(enabled, cap));
      return { status: 200, body: await balanceOf(accountId) };
    },
  };
}
