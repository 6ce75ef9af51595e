import { keySlots } from '../../../access/keys/create-key.ts';
import { accountBalance } from '../../../billing/balance/account-balance.ts';
import { ALL_RECEIPTS, listReceipts, lookUpReceipts } from '../../../billing/receipts/read-receipts.ts';
import { presentReceipt } from '../../../billing/receipts/receipts.handlers.ts';
import { ALL_USAGE, usageByDay } from '../../../billing/usage/usage-by-day.ts';
import { findFactTimes } from '../../../intake/refresh/store-reading.ts';
import type { ConsoleResponse } from '../frame/console-document.tsx';
import type { ConsoleDependencies, ConsoleRouter, Visit } from '../frame/console-router.ts';
import { loadSampleCall } from '../keys/new-key.page.tsx';
import { loadAccountState, type NextStep, nextSteps } from '../next/next-steps.ts';
import { Overview } from './overview.page.tsx';

const LATEST_CALLS = 5;

/** Registers the overview: balance, usage of the month, latest calls, and next steps. */
export function registerOverviewPages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get('/console', (visit) => showOverview(parts, visit));
}

async function showOverview(parts: ConsoleDependencies, visit: Visit): Promise<ConsoleResponse> {
  const { database, planBook, publicUrls } = parts;
  const { accountId, query, credential } = visit;
  const account = await visit.account();
  // Ask for a handle after the first sign-in; it can be postponed.
  if (account.handle === null && query.get('handle') !== 'later') return { redirectTo: '/console/handle' };
  const balance = await accountBalance(database, planBook, accountId);
  const month = balance.buckets.find(({ period }) => period === 'month')?.from.slice(0, 10) ?? null;
  const filters = { ...ALL_RECEIPTS, limit: LATEST_CALLS };
  const found = await lookUpReceipts(database, credential, filters);
  const { receipts } = await listReceipts(database, publicUrls, found, LATEST_CALLS);
  const content = (
    <Overview
      account={account}
      balance={balance}
      usage={await usageByDay(database, accountId, { ...ALL_USAGE, from: month })}
      slots={await keySlots(database, planBook, { accountId, plan: account.plan })}
      receipts={receipts.map(presentReceipt)}
      steps={nextSteps(await loadAccountState(parts, visit, balance))}
      site={publicUrls.site.origin}
      asked={await loadSampleCall(parts)}
      factTimes={await findFactTimes(database, parts.config)}
      query={query}
    />
  );
  return { title: 'Overview', tab: 'overview', content };
}

/** Shows the next step, its reason, and a link to it. */
export function NextCard({ step }: { step: NextStep | null }) {
  return (
    <section class="card" aria-labelledby="next">
      <h2 id="next">What to do next</h2>
      {step === null ? (
        <p>
          You are all set. <a href="/console/register">Register another agent</a>, or look at{' '}
          <a href="/console/usage">your usage</a>.
        </p>
      ) : (
        <>
          <p>{step.why}</p>
          <p>
            <a class="button primary" href={step.path}>
              {step.text}
            </a>
          </p>
        </>
      )}
    </section>
  );
}
