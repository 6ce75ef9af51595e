import { Columns } from '../../ui/columns.tsx';
import { Foreign } from '../../ui/text.tsx';
import { CursorLinks } from '../frame/cursor-links.tsx';
import { addressWith, FilterSelect, Filters } from '../frame/filters.tsx';
import { Instant } from '../frame/moments.tsx';
import { OperationFilter, operationName } from '../frame/operation-filter.tsx';
import { costOf, payerOf, type ShownReceipt, STATE_NAMES, stateOf } from './receipt-words.ts';

interface ReceiptListProps {
  receipts: readonly ShownReceipt[];
  filters: { operation: string | null; state: string | null };
  nextCursor: string | null;
  /** Nothing newer was left out. */
  isFirst: boolean;
}

const LIST = '/console/receipts';

/** Calls of the account, newest first. */
export function ReceiptList({ receipts, filters, nextCursor, isFirst }: ReceiptListProps) {
  const isFiltered = filters.operation !== null || filters.state !== null;
  return (
    <>
      <h1>Receipts</h1>
      <p class="lead">Every metered call, what it cost and what paid for it. Receipts are kept for good.</p>
      {(isFiltered || receipts.length > 0) && <ReceiptFilters filters={filters} />}
      {receipts.length === 0 ? (
        <Nothing isFiltered={isFiltered} />
      ) : (
        <section class="card" aria-label="Calls">
          <ReceiptTable receipts={receipts} />
        </section>
      )}
      <CursorLinks
        first={{ text: 'Newest', href: isFirst ? null : addressWith(LIST, filters) }}
        next={{ text: 'Older', href: nextCursor && addressWith(LIST, { ...filters, cursor: nextCursor }) }}
      />
    </>
  );
}

function ReceiptFilters({ filters }: Pick<ReceiptListProps, 'filters'>) {
  return (
    <Filters action={LIST}>
      <OperationFilter chosen={filters.operation} />
      <FilterSelect
        name="state"
        label="State"
        all="Any state"
        options={Object.entries(STATE_NAMES).map(([value, text]) => ({ value, text }))}
        chosen={filters.state}
      />
    </Filters>
  );
}

/** One line a call; what a phone has no room for stands under the operation. */
export function ReceiptTable({ receipts }: { receipts: readonly ShownReceipt[] }) {
  return (
    <table class="calls">
      <Columns
        of={[
          'Call',
          ['Subject', 'wide-only'],
          ['Paid from', 'wide-only'],
          ['State', 'wide-only'],
          ['Credits', 'n'],
        ]}
      />
      <tbody>
        {receipts.map((receipt) => (
          <ReceiptRow key={receipt.ledger_id} receipt={receipt} />
        ))}
      </tbody>
    </table>
  );
}

function ReceiptRow({ receipt }: { receipt: ShownReceipt }) {
  const { ledger_id, operation, state: standing, created_at } = receipt;
  const state = stateOf(receipt);
  return (
    <tr>
      <th scope="row">
        <a href={`${LIST}/${ledger_id}`}>{operationName(operation)}</a>
        <span class="note">
          <Instant at={created_at} />
        </span>
        <span class="note small-only">
          <SubjectOf receipt={receipt} />
        </span>
        <span class={`note small-only ${state.class}`}>
          {state.text}
          {standing !== 'failed' && ` · ${payerOf(receipt)}`}
        </span>
      </th>
      <td class="wide-only">
        <SubjectOf receipt={receipt} />
      </td>
      <td class="wide-only source">{payerOf(receipt)}</td>
      <td class={`wide-only ${state.class}`}>{state.text}</td>
      <td class="n">{costOf(receipt)}</td>
    </tr>
  );
}

function SubjectOf({ receipt: { subject } }: { receipt: ShownReceipt }) {
  if (subject === null) return <span class="muted">gone since</span>;
  return (
    <a href={subject.public_path}>
      <Foreign>{subject.repository ?? subject.name}</Foreign>
    </a>
  );
}

function Nothing({ isFiltered }: { isFiltered: boolean }) {
  return (
    <section class="card" aria-label="Calls">
      {isFiltered ? (
        <p>
          No call fits. <a href={LIST}>See all receipts</a>.
        </p>
      ) : (
        <p>
          No call yet. <a href="/console/keys">Make a key</a>, and every call with it leaves a receipt here;
          the <a href="/console">overview</a> shows a first one.
        </p>
      )}
    </section>
  );
}
