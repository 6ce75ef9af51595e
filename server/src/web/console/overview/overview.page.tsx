import type { AccountRecord } from '../../../access/callers/require-account.ts';
import type { KeySlots } from '../../../access/keys/create-key.ts';
import { sourceNamed } from '../../../access/plans/charge-sources.ts';
import type { AccountBalance } from '../../../billing/balance/account-balance.ts';
import type { AccountBucket } from '../../../billing/ledger/account-buckets.ts';
import type { UsageByDay } from '../../../billing/usage/usage-by-day.ts';
import { ForeignText, formatCount, formatDays, Moment } from '../../components/formatting.tsx';
import { Hatching } from '../../components/score-figures.tsx';
import { DoneNotice } from '../frame/console-document.tsx';
import { curlCommand, type SampleCall } from '../keys/new-key.page.tsx';
import type { NextStep } from '../next/next-steps.ts';
import type { ShownReceipt } from '../receipts/receipt.page.tsx';
import { ReceiptTable } from '../receipts/receipt-list.page.tsx';
import { DayChart } from '../usage/day-chart.tsx';

/** Data of the overview. */
interface OverviewProps {
  account: AccountRecord;
  balance: AccountBalance;
  /** Usage of the current month. */
  usage: UsageByDay;
  slots: KeySlots;
  /** Latest receipts of the account. */
  receipts: readonly ShownReceipt[];
  /** Steps in order, including done ones. */
  steps: readonly NextStep[];
  site: string;
  /** Operation and subject of the sample call. */
  asked: SampleCall;
  /**
   * Earliest and latest time at which facts about the best-known listings were read; null if this server refreshes
   * facts by itself.
   */
  factTimes: readonly string[] | null;
  query: URLSearchParams;
}

const DONE = { handle: 'The handle is yours. Next, create a key and make a first call.' };

/** Renders the overview: balance, usage of the month, latest calls, and next steps. */
export function Overview(props: OverviewProps) {
  const { account, balance, usage, slots, receipts, query } = props;
  const hasCalls = receipts.length > 0;
  return (
    <>
      <div class="head">
        <div>
          <h1>{account.handle === null ? 'Console' : <ForeignText>{account.handle}</ForeignText>}</h1>
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
          {hasCalls && <UsageAndCalls usage={usage} receipts={receipts} />}
          <NextSteps {...props} />
          {props.factTimes !== null && <RefreshIsOff times={props.factTimes} />}
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

/** States the dates of the facts behind the scores, and how the operator can have them refreshed. */
function RefreshIsOff({ times }: { times: readonly string[] }) {
  const days = formatDays(times);
  return (
    <p class="note">
      {days === null
        ? 'Facts about listings have no date'
        : `Facts about the best-known listings are of ${days}`}
      . This server does not refresh them by itself: the operator can set <code>REFRESH_PER_HOUR</code>.
    </p>
  );
}

function UsageAndCalls({ usage, receipts }: Pick<OverviewProps, 'usage' | 'receipts'>) {
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

/** Shows the next steps as a checklist until all are done, and how to call the API. */
function NextSteps({ steps, receipts, site, asked }: OverviewProps) {
  const isOpen = steps.some(({ isDone }) => !isDone);
  return (
    <>
      {isOpen && (
        <section class="card" aria-labelledby="next">
          <h2 id="next">Next steps</h2>
          <ol class="checks">
            {steps.map(({ id, isDone, text, why, path }) => (
              <li key={id} class={isDone ? 'done' : undefined}>
                {isDone ? (
                  <>
                    {text} <span class="note">done</span>
                  </>
                ) : (
                  <>
                    <a href={path}>{text}</a>
                    <span class="why">{why}</span>
                  </>
                )}
              </li>
            ))}
          </ol>
        </section>
      )}
      <section class="card" aria-labelledby="first-call">
        <h2 id="first-call">{receipts.length === 0 ? 'A first call' : 'How to call'}</h2>
        <p>
          <a href="/console/run">Try one here</a>, or with your key in the environment as{' '}
          <code>TRUST_DIRECTORY_API_KEY</code>:
        </p>
        <h3>curl</h3>
        <div class="copy" data-copy="the curl call">
          <pre>{curlCommand(site, '"Authorization: Bearer $TRUST_DIRECTORY_API_KEY"', asked)}</pre>
        </div>
        <h3>SDK</h3>
        <div class="copy" data-copy="the SDK call">
          <pre>{sdkCall(site, asked)}</pre>
        </div>
      </section>
    </>
  );
}

function sdkCall(site: string, { operation, subject }: SampleCall): string {
  return `import { TrustDirectory } from '@trust-directory/sdk';

const client = new TrustDirectory({ baseUrl: '${site}' });
const { result } = await client.operations.run({
  operation: '${operation}',
  subject: ${JSON.stringify(subject)},
});`;
}

/** Shows the remaining amount of each bucket, in the order of `buckets`, which is the order in which they pay. */
export function BalanceBars({ buckets }: { buckets: readonly AccountBucket[] }) {
  if (buckets.length === 0) {
    return <p>You have no calls or credits. Contact the operator to change plan or add credits.</p>;
  }
  return (
    <ul class="balances">
      {buckets.map((bucket) => (
        <li key={bucket.id}>
          <p>
            <strong>{sourceNamed(bucket.source).label}</strong>{' '}
            <span class="n">
              {formatCount(bucket.left)} <span class="muted">of {formatCount(bucket.total)} left</span>
            </span>
          </p>
          <Bar bucket={bucket} />
          <p class="muted small">
            {formatCount(bucket.used)} {bucket.unit === 'credit' && 'credits '}used
            {bucket.held > 0 && `, ${formatCount(bucket.held)} reserved by calls in progress`} ·{' '}
            {bucket.period === 'month' ? 'renewed' : 'expires'} <Moment at={bucket.to} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function Bar({ bucket: { total, left, held } }: { bucket: AccountBucket }) {
  const share = (amount: number) => `${total === 0 ? 0 : ((100 * amount) / total).toFixed(2)}%`;
  return (
    <svg class="balance" width="100%" height="12" aria-hidden="true">
      <rect class="meter-bg" width="100%" height="12" rx="6" />
      {held > 0 && <rect class="missing" x={share(left)} width={share(held)} height="12" />}
      {left > 0 && <rect class="meter" width={share(left)} height="12" rx="6" />}
    </svg>
  );
}
