import type { KeyRecord } from '../../keys/key.ts';
import { Columns } from '../../ui/columns.tsx';
import { Foreign } from '../../ui/text.tsx';
import { CursorLinks } from '../frame/cursor-links.tsx';
import { FilterSelect, Filters } from '../frame/filters.tsx';
import { KeyFilter } from '../frame/key-filter.tsx';
import { Instant } from '../frame/moments.tsx';
import { OperationFilter, operationName } from '../frame/operation-filter.tsx';
import { LIST, LONGEST_TEXT, type ReceiptFilter, receiptsAddress } from './receipt-filter.ts';
import { costOf, payerOf, type ShownReceipt, STATE_NAMES, stateOf } from './receipt-words.ts';

interface ReceiptListProps {
  receipts: readonly ShownReceipt[];
  filter: ReceiptFilter;
  /** What can be chosen from. */
  keys: readonly KeyRecord[];
  nextCursor: string | null;
  /** The moment back to which calls were searched, where older ones are left. */
  lookedBackTo: string | null;
  /** Nothing newer was left out. */
  isFirst: boolean;
}

/** Calls of the account, newest first: all, or those that are looked for. */
export function ReceiptList(props: ReceiptListProps) {
  const { receipts, filter, keys, nextCursor, lookedBackTo, isFirst } = props;
  const isFiltered = Object.values(filter).some((choice) => choice !== null);
  const older = lookedBackTo === null ? 'Older' : 'Search older calls';
  return (
    <>
      <h1>Receipts</h1>
      <p class="lead">Every metered call, its price and how it was paid. Receipts are permanent.</p>
      {(isFiltered || receipts.length > 0) && <ReceiptFilters filter={filter} keys={keys} />}
      {isFiltered && receipts.length > 0 && <Found {...props} />}
      {receipts.length === 0 ? (
        <Nothing {...props} isFiltered={isFiltered} />
      ) : (
        <section class="card" aria-label="Calls">
          <ReceiptTable receipts={receipts} />
        </section>
      )}
      <CursorLinks
        first={{ text: 'Newest', href: isFirst ? null : receiptsAddress(filter) }}
        next={{ text: older, href: nextCursor && receiptsAddress(filter, nextCursor) }}
      />
    </>
  );
}

function ReceiptFilters({ filter, keys }: Pick<ReceiptListProps, 'filter' | 'keys'>) {
  return (
    <Filters action={LIST} submit="Search">
      <input
        type="search"
        name="q"
        value={filter.text ?? ''}
        maxLength={LONGEST_TEXT}
        aria-label="Search your calls"
        placeholder="Subject, key or receipt id"
      />
      <OperationFilter chosen={filter.operation} />
      <FilterSelect
        name="state"
        label="State"
        all="Any state"
        options={Object.entries(STATE_NAMES).map(([value, text]) => ({ value, text }))}
        chosen={filter.state}
      />
      {keys.length > 0 && <KeyFilter keys={keys} chosen={filter.keyId} />}
      <label class="inline-field">
        Day <input type="date" name="day" value={filter.day ?? ''} />
      </label>
    </Filters>
  );
}

/** What the calls below are, and the way back to all. */
function Found({ filter, lookedBackTo }: ReceiptListProps) {
  return (
    <p class="muted">
      Calls that fit{filter.text !== null && <Quoted text={filter.text} />}, newest first
      {lookedBackTo !== null && (
        <>
          , back to <Instant at={lookedBackTo} />
        </>
      )}
      . <a href={LIST}>See all receipts</a>
    </p>
  );
}

function Quoted({ text }: { text: string }) {
  return (
    <>
      {' '}
      “<Foreign>{text}</Foreign>”
    </>
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

function Nothing(props: ReceiptListProps & { isFiltered: boolean }) {
  return (
    <section class="card" aria-label="Calls">
      {props.isFiltered ? (
        <NothingFits {...props} />
      ) : (
        <p>
          {props.isFirst ? 'No call yet. ' : 'This page does not exist. '}
          <a href="/console/run">Run one here</a>, or <a href="/console/keys/new">create a key</a> and call
          from a program. Every call creates a receipt.
        </p>
      )}
    </section>
  );
}

/** Says how far was looked, and what else can be looked for. */
function NothingFits({ filter, nextCursor, lookedBackTo }: ReceiptListProps) {
  const fits = <>No call fits{filter.text !== null && <Quoted text={filter.text} />}</>;
  return (
    <>
      {lookedBackTo !== null && nextCursor !== null ? (
        <p>
          {fits} since <Instant at={lookedBackTo} />, and there are older ones.
        </p>
      ) : (
        <p>{fits}.</p>
      )}
      <p>
        You can search for part of a subject’s name, repository or handle, for its id or address, for the name
        of a key, and for a ledger id. <a href={LIST}>See all receipts</a>
      </p>
    </>
  );
}
