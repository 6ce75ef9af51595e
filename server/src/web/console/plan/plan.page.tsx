import { PAYMENT_ORDER } from '../../../access/plans/charge-sources.ts';
import { findPlan, overageCredits, type PlanBook } from '../../../access/plans/plans.ts';
import type { AccountBalance } from '../../../billing/balance/account-balance.ts';
import { ForeignText, formatCount, Moment } from '../../components/formatting.tsx';
import { PlansTable, PricesTable } from '../../components/price-tables.tsx';
import { Hatching } from '../../components/score-figures.tsx';
import { Breadcrumb, DoneNotice, Notice } from '../frame/console-document.tsx';
import { Field, Form, ProblemSummary, type Problems } from '../frame/fields.tsx';
import type { NextStep } from '../next/next-steps.ts';
import { BalanceBars } from '../overview/overview.page.tsx';
import { NextCard } from '../overview/overview.route.tsx';

interface PlanViewProps {
  balance: AccountBalance;
  planBook: PlanBook;
  /** Next step; null if all are done. */
  next: NextStep | null;
  /** Cap that the visitor typed and the server rejected; empty otherwise. */
  cap: string;
  problems: Problems;
  query: URLSearchParams;
}

const DONE = {
  on: 'Overage is on.',
  off: 'Overage is off: calls are refused when credits run out.',
};

/** Renders the plan page: all plans with the current one marked, overage, and prices. */
export function PlanView({ balance, planBook, next, cap, problems, query }: PlanViewProps) {
  const plan = findPlan(planBook, balance.plan);
  const most = plan?.overageCapCredits ?? 0;
  return (
    <>
      <h1>
        Plan: <ForeignText>{balance.plan}</ForeignText>
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
            maximum={most}
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
        Keys is the maximum number of active keys. Free calls, credits and overage are per calendar month
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
        A call is paid from the first balance that covers the whole price, in this order: {PAYMENT_ORDER}. A
        free call covers any operation. A call that fails costs nothing.
      </p>
    </section>
  );
}

interface OverageCardProps {
  plan: string;
  /** Maximum overage credits per month that the plan allows; 0 if it has no overage. */
  maximum: number;
  /** Maximum overage credits per month that the account has allowed; 0 without overage. */
  agreed: number;
  cap: string;
  problems: Problems;
}

/** Shows whether overage is allowed, and the form that changes it. */
function OverageCard({ plan, maximum: most, agreed, cap, problems }: OverageCardProps) {
  return (
    <section class="card" aria-labelledby="overage">
      <h2 id="overage">Overage</h2>
      {most === 0 ? (
        <p>Keeps calls working when credits run out. Not on the {plan} plan.</p>
      ) : (
        <>
          <p>Keeps calls working when credits run out; the operator bills them.</p>
          <p>
            {agreed > 0 ? (
              <>
                Allowed up to <strong>{formatCount(agreed)} credits</strong> a month.
              </>
            ) : (
              'Off: calls are refused when credits run out.'
            )}
          </p>
          <form action="/console/plan/overage" method="get">
            <Field
              name="cap"
              label={agreed > 0 ? 'Another cap' : 'Allow, up to'}
              hint={`Must be 1 to ${formatCount(most)} credits a month.`}
              problems={problems}
            >
              {(wiring) => (
                <input
                  {...wiring}
                  type="text"
                  inputMode="numeric"
                  value={cap === '' ? String(agreed || most) : cap}
                  maxLength={13}
                  required
                />
              )}
            </Field>
            <button type="submit">{agreed > 0 ? 'Change the cap…' : 'Allow overage…'}</button>
          </form>
          {agreed > 0 && (
            <p>
              <a href="/console/plan/overage?enabled=no">End overage…</a>
            </p>
          )}
        </>
      )}
    </section>
  );
}

/**
 * Asks for confirmation before overage is allowed or ended. `cap` is the monthly cap to allow, in credits; null ends
 * overage.
 */
export function OverageConfirmation({ cap }: { cap: number | null }) {
  return (
    <>
      <Breadcrumb href="/console/plan">Plan</Breadcrumb>
      <h1>{cap === null ? 'End overage?' : `Allow ${formatCount(cap)} credits of overage a month?`}</h1>
      <Form action="/console/plan/overage" class="card narrow">
        {cap === null ? (
          <>
            <input type="hidden" name="enabled" value="no" />
            <p>Calls are refused when credits run out. You still owe the overage that you used this month.</p>
          </>
        ) : (
          <>
            <input type="hidden" name="cap" value={cap} />
            <p>
              When your free calls and credits run out, calls keep working, up to {formatCount(cap)} credits a
              month. The operator bills these credits. This starts now and includes this month. You can end it
              at any time; you still owe what you used until then.
            </p>
          </>
        )}
        <p class="row">
          <button type="submit" class={cap === null ? 'danger' : 'primary'}>
            {cap === null ? 'End overage' : 'Allow it'}
          </button>
          <a href="/console/plan">Cancel</a>
        </p>
      </Form>
    </>
  );
}
