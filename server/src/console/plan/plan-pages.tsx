import { accountBalance } from '../../balance/account-balance.ts';
import { setOwnOverage } from '../../balance/set-overage.ts';
import { DomainError } from '../../domain-error.ts';
import { findPlan } from '../../plans/plans.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer, Page } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import { NONE, type Problems, problemOf } from '../frame/problems.ts';
import { requireRecent } from '../frame/require-recent.ts';
import type { Visit } from '../frame/visit.ts';
import { loadStanding } from '../next/load-standing.ts';
import { nextStep } from '../next/next-steps.ts';
import { OverageQuestion } from './overage-question-view.tsx';
import { PlanView } from './plan-view.tsx';

const PLAN = '/console/plan';
const OVERAGE = `${PLAN}/overage`;

/** What the account's plan gives, and the agreement on overage, which costs money and so is asked about. */
export function registerPlanPages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(PLAN, (visit) => showPlan(parts, visit, '', NONE));
  router.show(OVERAGE, (visit) => ask(parts, visit));
  router.take(OVERAGE, PLAN, (visit) => agree(parts, visit));
}

async function showPlan(parts: ConsoleParts, visit: Visit, cap: string, problems: Problems): Promise<Page> {
  const { database, planBook } = parts;
  const balance = await accountBalance(database, planBook, visit.accountId);
  const content = (
    <PlanView
      balance={balance}
      planBook={planBook}
      next={nextStep(await loadStanding(parts, visit, balance))}
      cap={cap}
      problems={problems}
      query={visit.query}
    />
  );
  return { title: 'Plan', tab: 'plan', status: problems.size > 0 ? 400 : 200, content };
}

/** What is asked for, or what is wrong with it. */
type Wish = { cap: number } | { off: true } | { wrong: string };

function readWish(said: URLSearchParams, most: number): Wish {
  if (said.get('enabled') === 'no') return { off: true };
  const text = (said.get('cap') ?? '').replaceAll(/[\s,]/g, '');
  const cap = /^\d{1,10}$/.test(text) ? Number(text) : 0;
  if (cap >= 1 && cap <= most) return { cap };
  return { wrong: `The cap must be a whole number of credits from 1 to ${most.toLocaleString('en-GB')}.` };
}

/** The plan's own cap; throws invalid_request where the plan has no overage. */
async function mostOverage({ database, planBook }: ConsoleParts, { accountId }: Visit): Promise<number> {
  const { plan } = await accountBalance(database, planBook, accountId);
  const most = findPlan(planBook, plan)?.overageCapCredits ?? 0;
  if (most > 0) return most;
  throw new DomainError('invalid_request', `The ${plan} plan has no overage.`);
}

async function ask(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  await requireRecent(parts, visit);
  const most = await mostOverage(parts, visit);
  const wish = readWish(visit.query, most);
  if ('wrong' in wish)
    return showPlan(parts, visit, visit.query.get('cap') ?? '', problemOf('cap', wish.wrong));
  return {
    title: 'Overage',
    tab: 'plan',
    content: <OverageQuestion cap={'cap' in wish ? wish.cap : null} />,
  };
}

async function agree(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  const { database, planBook } = parts;
  const wish = readWish(visit.form, await mostOverage(parts, visit));
  if ('wrong' in wish)
    return showPlan(parts, visit, visit.form.get('cap') ?? '', problemOf('cap', wish.wrong));
  const choice =
    'cap' in wish ? ({ enabled: true, capCredits: wish.cap } as const) : ({ enabled: false } as const);
  await setOwnOverage(database, planBook, visit.sessionId, choice);
  return { redirectTo: `${PLAN}?done=${choice.enabled ? 'on' : 'off'}` };
}
