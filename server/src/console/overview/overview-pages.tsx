import { accountBalance } from '../../balance/account-balance.ts';
import { keySlots } from '../../keys/key-slots.ts';
import { ALL_RECEIPTS, listReceipts, lookUpReceipts } from '../../receipts/read-receipts.ts';
import { presentReceipt } from '../../receipts/receipt.presenter.ts';
import { ALL_USAGE } from '../../usage/usage.ts';
import { usageByDay } from '../../usage/usage-by-day.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import type { Visit } from '../frame/visit.ts';
import { loadFirstAsked } from '../keys/first-call.ts';
import { loadStanding } from '../next/load-standing.ts';
import { nextSteps } from '../next/next-steps.ts';
import { Overview } from './overview-view.tsx';

const LATEST = 5;

/** What there is to spend, what was spent this month, and what to do next. */
export function registerOverviewPages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show('/console', (visit) => showOverview(parts, visit));
}

async function showOverview(parts: ConsoleParts, visit: Visit): Promise<Answer> {
  const { database, planBook, naming } = parts;
  const { accountId, query, credential } = visit;
  const account = await visit.account();
  // Anyone who signed in for the first time is asked for a handle before anything else, and may put it off.
  if (account.handle === null && query.get('handle') !== 'later') return { redirectTo: '/console/handle' };
  const balance = await accountBalance(database, planBook, accountId);
  const month = balance.buckets.find(({ period }) => period === 'month')?.from.slice(0, 10) ?? null;
  const filters = { ...ALL_RECEIPTS, limit: LATEST };
  const found = await lookUpReceipts(database, credential, filters);
  const { receipts } = await listReceipts(database, naming, found, LATEST);
  const content = (
    <Overview
      account={account}
      balance={balance}
      usage={await usageByDay(database, accountId, { ...ALL_USAGE, from: month })}
      slots={await keySlots(database, planBook, { accountId, plan: account.plan })}
      receipts={receipts.map(presentReceipt)}
      steps={nextSteps(await loadStanding(parts, visit, balance))}
      site={naming.site.origin}
      asked={await loadFirstAsked(parts)}
      query={query}
    />
  );
  return { title: 'Overview', tab: 'overview', content };
}
