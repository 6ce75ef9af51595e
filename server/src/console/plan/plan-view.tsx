import type { AccountBalance } from '../../balance/account-balance.ts';
import { findPlan, overageCredits, type PlanBook } from '../../plans/plans.ts';
import { Hatching } from '../../ui/meter.tsx';
import { PlansTable, PricesTable } from '../../ui/price-tables.tsx';
import { Foreign, Moment } from '../../ui/text.tsx';
import { ProblemSummary } from '../frame/fields.tsx';
import { DoneNotice, Notice } from '../frame/notice.tsx';
import type { Problems } from '../frame/problems.ts';
import { NextCard } from '../next/next-card.tsx';
import type { NextStep } from '../next/next-steps.ts';
import { BalanceBars } from '../overview/balance-bars.tsx';
import { OverageCard } from './overage-card.tsx';

interface PlanViewProps {
  balance: AccountBalance;
  planBook: PlanBook;
  /** Null where nothing is left to do. */
  next: NextStep | null;
  /** What was typed as the cap, where it was not taken. */
  cap: string;
  problems: Problems;
  query: URLSearchParams;
}

const DONE = {
  on: 'Overage is on.',
  off: 'Overage is off: calls are refused when credits run out.',
};

/** The plan in force among all there are, the agreement on overage, and what calls cost. */
export function PlanView({ balance, planBook, next, cap, problems, query }: PlanViewProps) {
  const plan = findPlan(planBook, balance.plan);
  const most = plan?.overageCapCredits ?? 0;
  return (
    <>
      <h1>
        Plan: <Foreign>{balance.plan}</Foreign>
      </h1>
      <p class="lead">
        Contact the operator to change plan or add credits.
        {most > 0 && ' You can allow overage yourself.'}
      </p>
      <DoneNotice query={query} sentences={DONE} />
      <ProblemSummary problems={problems} />
      {balance.nextPlan !== null && balance.nextPlanFrom !== null && (
        <Notice>
          Your plan changes to <strong>{balance.nextPlan}</strong> on <Moment at={balance.nextPlanFrom} />.
        </Notice>
      )}
      <Hatching />
      <div class="grid balance-first">
        <div class="stack">
          <Plans planBook={planBook} current={balance.plan} />
          <Prices planBook={planBook} />
        </div>
        <div class="stack">
          <NextCard step={next} />
          <section class="card" aria-labelledby="left">
            <h2 id="left">Remaining this month</h2>
            <BalanceBars buckets={balance.buckets} />
          </section>
          <OverageCard
            plan={balance.plan}
            most={most}
            agreed={plan ? overageCredits(plan, balance) : 0}
            cap={cap}
            problems={problems}
          />
        </div>
      </div>
    </>
  );
}

function Plans({ planBook, current }: { planBook: PlanBook; current: string }) {
  return (
    <section class="card" aria-labelledby="plans">
      <h2 id="plans">All plans</h2>
      <PlansTable plans={planBook.plans} current={current} />
      <p class="note">
        Keys is the number that may be active at once. Free calls, credits and overage are per calendar month
        (UTC).
      </p>
    </section>
  );
}

function Prices({ planBook }: { planBook: PlanBook }) {
  return (
    <section class="card" aria-labelledby="prices">
      <h2 id="prices">What a call costs</h2>
      <PricesTable prices={planBook.prices} />
      <p class="note">
        A call is paid from the first balance that covers the whole price: free calls, gifted, included and
        purchased credits, overage. A free call covers any operation. A call that fails costs nothing.
      </p>
    </section>
  );
}
