import type { AccountRecord } from '../../accounts/account.ts';
import type { AccountBalance } from '../../balance/account-balance.ts';
import type { KeySlots } from '../../keys/key-slots.ts';
import { Hatching } from '../../ui/meter.tsx';
import { Foreign, formatCount } from '../../ui/text.tsx';
import type { UsageByDay } from '../../usage/usage-by-day.ts';
import { DoneNotice } from '../frame/notice.tsx';
import type { FirstAsked } from '../keys/first-call.ts';
import type { NextStep } from '../next/next-steps.ts';
import { ReceiptTable } from '../receipts/receipt-list-view.tsx';
import type { ShownReceipt } from '../receipts/receipt-words.ts';
import { DayChart } from '../usage/day-chart.tsx';
import { BalanceBars } from './balance-bars.tsx';
import { NextSteps } from './steps-and-calls.tsx';

/** All that the overview shows. */
export interface OverviewProps {
  account: AccountRecord;
  balance: AccountBalance;
  /** Of the running month. */
  usage: UsageByDay;
  slots: KeySlots;
  /** The latest ones. */
  receipts: readonly ShownReceipt[];
  /** In their order, done ones too. */
  steps: readonly NextStep[];
  site: string;
  /** Something real to ask about. */
  asked: FirstAsked;
  query: URLSearchParams;
}

const DONE = { handle: 'The handle is yours. Next, create a key and make a first call.' };

/** What there is to spend, what was spent this month, and what to do next. */
export function Overview(props: OverviewProps) {
  const { account, balance, usage, slots, receipts, query } = props;
  const hasCalls = receipts.length > 0;
  return (
    <>
      <div class="head">
        <div>
          <h1>{account.handle === null ? 'Console' : <Foreign>{account.handle}</Foreign>}</h1>
          <p class="muted">
            <a href="/console/plan">{balance.plan} plan</a> ·{' '}
            <a href="/console/keys">
              {slots.taken} of {slots.limit} active {slots.limit === 1 ? 'key' : 'keys'}
            </a>
          </p>
        </div>
        <MonthFigures usage={usage} />
      </div>
      <DoneNotice query={query} sentences={DONE} />
      <Hatching />
      <div class={hasCalls ? 'grid balance-first' : 'grid'}>
        <div class="stack">
          {hasCalls && <Spent usage={usage} receipts={receipts} />}
          <NextSteps {...props} />
        </div>
        <div class="stack">
          <section class="card" aria-labelledby="left">
            <h2 id="left">Remaining this month</h2>
            <BalanceBars buckets={balance.buckets} />
          </section>
        </div>
      </div>
    </>
  );
}

function Spent({ usage, receipts }: Pick<OverviewProps, 'usage' | 'receipts'>) {
  return (
    <>
      {usage.days.length > 0 && (
        <section class="card" aria-labelledby="month">
          <h2 id="month">Calls a day, this month</h2>
          <DayChart usage={usage} />
          <p>
            <a href="/console/usage">By operation and key</a>
          </p>
        </section>
      )}
      <section class="card" aria-labelledby="latest">
        <h2 id="latest">Latest calls</h2>
        <ReceiptTable receipts={receipts} />
        <p>
          <a href="/console/receipts">All receipts</a>
        </p>
      </section>
    </>
  );
}

function MonthFigures({ usage: { days } }: { usage: UsageByDay }) {
  const calls = days.reduce((sum, { settledCalls }) => sum + settledCalls, 0);
  const credits = days.reduce((sum, day) => sum + day.credits, 0);
  return (
    <dl class="score">
      <div>
        <dt>calls this month</dt>
        <dd>{formatCount(calls)}</dd>
      </div>
      <div>
        <dt>credits used</dt>
        <dd>{formatCount(credits)}</dd>
      </div>
    </dl>
  );
}
