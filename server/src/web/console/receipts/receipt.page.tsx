import type { KeyRecord } from '../../../access/keys/key-fields.ts';
import { sourceNamed } from '../../../access/plans/charge-sources.ts';
import type { presentReceipt } from '../../../billing/receipts/receipts.handlers.ts';
import type { BoughtScore } from '../../../billing/receipts/search-receipts.ts';
import { verdictOf } from '../../../scoring/verdict/verdict.ts';
import {
  Fact,
  ForeignText,
  formatConfidence,
  formatTrust,
  Moment,
  toWords,
} from '../../components/formatting.tsx';
import { TrustLine, VerdictMark } from '../../components/score-figures.tsx';
import { Breadcrumb, DateTime, DoneNotice } from '../frame/console-document.tsx';
import { operationName } from '../frame/filters.tsx';
import { KeyName } from '../keys/key-facts.tsx';

/** A receipt in the API's format. */
export type ShownReceipt = ReturnType<typeof presentReceipt>;

/** Formats the cost of a call: the amount paid, or held while the call is in progress; 0 if it failed. */
export function costText({ state, amount, unit }: ShownReceipt): string {
  if (state === 'failed') return '0';
  const cost = unit === 'call' ? `${amount} ${amount === 1 ? 'call' : 'calls'}` : String(amount);
  return state === 'reserved' ? `${cost} held` : cost;
}

/** Returns the label of the charge source that paid for a call or holds its price; a dash for a failed call. */
export function payerText({ state, charge_source }: ShownReceipt): string {
  return state === 'failed' ? '–' : sourceNamed(charge_source).label;
}

/** Returns the label of a call's state and its CSS class. */
export function stateText({ state, failure }: ShownReceipt): { text: string; class: string } {
  if (state === 'settled') return { text: 'Settled', class: '' };
  if (state === 'reserved') return { text: 'In progress', class: 'medium' };
  return { text: `Reversed: ${toWords(failure ?? 'failed')}`, class: 'low' };
}

interface ReceiptViewProps {
  receipt: ShownReceipt;
  keyRecord: KeyRecord | null;
  /** Score that the call bought; null for none. */
  bought: BoughtScore | null;
  query: URLSearchParams;
}

const DONE = {
  run: 'The call is done. This is its receipt.',
  'run-before': 'You made this call before, so it was not charged again. This is its receipt.',
};

/** Renders one receipt: the bought score, the call, and the charge. */
export function ReceiptView({ receipt, keyRecord, bought, query }: ReceiptViewProps) {
  const state = stateText(receipt);
  return (
    <>
      <Breadcrumb href="/console/receipts">Receipts</Breadcrumb>
      <h1>{operationName(receipt.operation)}</h1>
      <p class={`lead ${state.class}`}>
        {state.text}
        {receipt.state === 'failed' && '. Nothing was charged.'}
        {receipt.state === 'reserved' && '. Its price is reserved until it ends.'}
      </p>
      <DoneNotice query={query} sentences={DONE} />
      {bought !== null && <Bought bought={bought} receipt={receipt} />}
      <div class="grid even">
        <Call receipt={receipt} keyRecord={keyRecord} />
        <Charge receipt={receipt} />
      </div>
    </>
  );
}

/** Shows the score as it was bought. The subject's page may show a newer one. */
function Bought({ bought, receipt: { subject } }: { bought: BoughtScore; receipt: ShownReceipt }) {
  const { state, sentence } = verdictOf(bought);
  return (
    <section class="card" aria-labelledby="bought">
      <h2 id="bought">The score</h2>
      <p>
        <VerdictMark state={state} /> {sentence}
      </p>
      <TrustLine trust={bought.trust} lowerBound={bought.lowerBound} />
      <p class="figures">
        Trust {formatTrust(bought.trust)} · Confidence {formatConfidence(bought.confidence)} · Tier{' '}
        {bought.tier}
      </p>
      {subject !== null && (
        <p>
          <a href={subject.public_path}>
            {bought.isCurrent ? 'See why on its page' : 'See the newer score on its page'}
          </a>
        </p>
      )}
    </section>
  );
}

function Call({ receipt, keyRecord }: { receipt: ShownReceipt; keyRecord: KeyRecord | null }) {
  const { subject, score_version, created_at, ended_at, attempt, idempotency_key } = receipt;
  return (
    <section class="card" aria-labelledby="call">
      <h2 id="call">The call</h2>
      <dl>
        <Fact name="Subject">
          {subject === null ? (
            'no longer listed'
          ) : (
            <a href={subject.public_path}>
              <ForeignText>{subject.repository ?? subject.name}</ForeignText>
            </a>
          )}
        </Fact>
        <Fact name="Operation">
          <code>{receipt.operation}</code>
        </Fact>
        <Fact name="Started">
          <DateTime at={created_at} />
        </Fact>
        <Fact name="Ended">{ended_at === null ? 'in progress' : <DateTime at={ended_at} />}</Fact>
        <Fact name="Key">{keyRecord === null ? 'none (console)' : <KeyName keyRecord={keyRecord} />}</Fact>
        <Fact name="Score version">{score_version === null ? 'none' : <code>{score_version}</code>}</Fact>
        <Fact name="Idempotency key">
          <code>{idempotency_key}</code>
        </Fact>
        <Fact name="Attempt">{attempt}</Fact>
      </dl>
    </section>
  );
}

function Charge({ receipt }: { receipt: ShownReceipt }) {
  const { state, charge_source, price_credits, period, ledger_id } = receipt;
  const cost = costText(receipt);
  return (
    <section class="card" aria-labelledby="charge">
      <h2 id="charge">The charge</h2>
      <dl>
        <Fact name="Charged">{/^\d+$/.test(cost) ? `${cost} credits` : cost}</Fact>
        <Fact name="Price">{price_credits} credits</Fact>
        <Fact name={state === 'settled' ? 'Paid from' : 'Held from'}>{sourceNamed(charge_source).label}</Fact>
        <Fact name="Balance from">
          <Moment at={period.period_start} />
        </Fact>
        <Fact name="Balance until">
          <Moment at={period.period_end} />
        </Fact>
      </dl>
      <h3>Ledger id</h3>
      <div class="copy" data-copy="the ledger id">
        <pre>{ledger_id}</pre>
      </div>
      <p class="note">Give this id when you contact support.</p>
    </section>
  );
}
