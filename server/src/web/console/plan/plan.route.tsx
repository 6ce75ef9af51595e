import { findPlan } from '../../../access/plans/plans.ts';
import { accountBalance } from '../../../billing/balance/account-balance.ts';
import { setOwnOverage } from '../../../billing/balance/change-plan.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import type { ConsoleResponse, Page } from '../frame/console-document.tsx';
import {
  type ConsoleDependencies,
  type ConsoleRouter,
  requireRecentVisitor,
  type Visit,
} from '../frame/console-router.ts';
import { NO_PROBLEMS, type Problems, singleProblem } from '../frame/fields.tsx';
import { loadAccountState, nextStep } from '../next/next-steps.ts';
import { OverageConfirmation, PlanView } from './plan.page.tsx';

const PLAN = '/console/plan';
const OVERAGE = `${PLAN}/overage`;

/**
 * Registers the page of the account's plan, and the pages that allow or end overage. Overage costs money, so these pages
 * ask for confirmation.
 */
export function registerPlanPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(PLAN, (visit) => showPlan(parts, visit, '', NO_PROBLEMS));
  router.get(OVERAGE, (visit) => showConfirmation(parts, visit));
  router.post(OVERAGE, PLAN, (visit) => changeOverage(parts, visit));
}

async function showPlan(
  parts: ConsoleDependencies,
  visit: Visit,
  cap: string,
  problems: Problems,
): Promise<Page> {
  const { database, planBook } = parts;
  const balance = await accountBalance(database, planBook, visit.accountId);
  const content = (
    <PlanView
      balance={balance}
      planBook={planBook}
      next={nextStep(await loadAccountState(parts, visit, balance))}
      cap={cap}
      problems={problems}
      query={visit.query}
    />
  );
  return { title: 'Plan', tab: 'plan', status: problems.size > 0 ? 400 : 200, content };
}

/** Requested change of overage, or why it is invalid. */
type OverageRequest = { cap: number } | { off: true } | { wrong: string };

function readOverageRequest(said: URLSearchParams, most: number): OverageRequest {
  if (said.get('enabled') === 'no') return { off: true };
  const text = (said.get('cap') ?? '').replaceAll(/[\s,]/g, '');
  const cap = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (cap >= 1 && cap <= most) return { cap };
  return { wrong: `The cap must be a whole number of credits from 1 to ${most.toLocaleString('en-GB')}.` };
}

/** Returns the plan's maximum overage; throws invalid_request if the plan has none. */
async function maxOverage(
  { database, planBook }: ConsoleDependencies,
  { accountId }: Visit,
): Promise<number> {
  const { plan } = await accountBalance(database, planBook, accountId);
  const most = findPlan(planBook, plan)?.overageCapCredits ?? 0;
  if (most > 0) return most;
  throw new DomainError('invalid_request', `The ${plan} plan has no overage.`);
}

async function showConfirmation(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  await requireRecentVisitor(parts, visit);
  const most = await maxOverage(parts, visit);
  const wish = readOverageRequest(visit.query, most);
  if ('wrong' in wish)
    return showPlan(parts, visit, visit.query.get('cap') ?? '', singleProblem('cap', wish.wrong));
  return {
    title: 'Overage',
    tab: 'plan',
    content: <OverageConfirmation cap={'cap' in wish ? wish.cap : null} />,
  };
}

async function changeOverage(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const { database, planBook } = parts;
  const wish = readOverageRequest(visit.form, await maxOverage(parts, visit));
  if ('wrong' in wish)
    return showPlan(parts, visit, visit.form.get('cap') ?? '', singleProblem('cap', wish.wrong));
  const choice =
    'cap' in wish ? ({ enabled: true, capCredits: wish.cap } as const) : ({ enabled: false } as const);
  await setOwnOverage(database, planBook, visit.sessionId, choice);
  return { redirectTo: `${PLAN}?done=${choice.enabled ? 'on' : 'off'}` };
}
