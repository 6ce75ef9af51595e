import type { KeyRecord } from '../../../access/keys/key-fields.ts';
import { type Day, isDay } from '../../../access/plans/days.ts';
import { OPERATIONS, type Operation } from '../../../access/plans/plans.ts';
import { RUN_STATES, type RunState } from '../../../billing/ledger/billing-context.ts';
import { ForeignText } from '../../components/formatting.tsx';
import { TableHead } from '../../components/layout.tsx';
import { DateTime } from '../frame/console-document.tsx';
import { isPlainText, readLine } from '../frame/fields.tsx';
import {
  CursorLinks,
  FilterSelect,
  Filters,
  hrefWith,
  KeyFilter,
  OperationFilter,
  operationName,
} from '../frame/filters.tsx';
import { costText, payerText, type ShownReceipt, stateText } from './receipt.page.tsx';

/** Labels of the states in the filter. */
const STATE_LABELS = { settled: 'Settled', failed: 'Reversed', reserved: 'In progress' } as const;

/** Filter of a list of receipts, parsed from the URL's query. A member that is null does not filter. */
export interface ReceiptFilter {
  /** Search text: part of a subject's or key's name, or a receipt id, for example. */
  text: string | null;
  operation: Operation | null;
  state: RunState | null;
  keyId: string | null;
  day: Day | null;
}

export const LIST = '/console/receipts';

/** Maximum length of the search text in characters; the same limit as directory search. */
const MAX_TEXT_LENGTH = 200;

export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Parses the filter from the URL's query; ignores invalid values. */
export function parseReceiptFilter(query: URLSearchParams): ReceiptFilter {
  const text = readLine(query, 'q');
  const key = (query.get('key') ?? '').toLowerCase();
  const day = query.get('day') ?? '';
  return {
    text: text !== '' && text.length <= MAX_TEXT_LENGTH && isPlainText(text) ? text : null,
    operation: OPERATIONS.find((operation) => operation === query.get('operation')) ?? null,
    state: RUN_STATES.find((state) => state === query.get('state')) ?? null,
    keyId: UUID.test(key) ? key : null,
    day: isDay(day) ? day : null,
  };
}

/** Returns the path of a page of the list. */
function receiptsHref(
  { text, operation, state, keyId, day }: ReceiptFilter,
  cursor: string | null = null,
): string {
  return hrefWith(LIST, { q: text, operation, state, key: keyId, day, cursor });
}

interface ReceiptListProps {
  receipts: readonly ShownReceipt[];
  filter: ReceiptFilter;
  /** Keys to choose from in the filter. */
  keys: readonly KeyRecord[];
  nextCursor: string | null;
  /** Time of the oldest call that was searched, if the search stopped before the page was full; otherwise null. */
  lookedBackTo: string | null;
  isFirst: boolean;
}

/** Renders the account's receipts, newest first, all or filtered. */
export function ReceiptList(props: ReceiptListProps) {
  const { receipts, filter, keys, nextCursor, lookedBackTo, isFirst } = props;
  const isFiltered = Object.values(filter).some((choice) => choice !== null);
  const older = lookedBackTo === null ? 'Older' : 'Search older calls';
  return (
    <>
      <h1>Receipts</h1>
      <p class="lead">Every metered call, its price and how it was paid. Receipts are permanent.</p>
      {(isFiltered || receipts.length > 0) && <ReceiptFilters filter={filter} keys={keys} />}
      {isFiltered && receipts.length > 0 && <ResultSummary {...props} />}
      {receipts.length === 0 ? (
        <Nothing {...props} isFiltered={isFiltered} />
      ) : (
        <section class="card" aria-label="Calls">
          <ReceiptTable receipts={receipts} />
        </section>
      )}
      <CursorLinks
        first={{ text: 'Newest', href: isFirst ? null : receiptsHref(filter) }}
        next={{ text: older, href: nextCursor && receiptsHref(filter, nextCursor) }}
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
        maxLength={MAX_TEXT_LENGTH}
        aria-label="Search your calls"
        placeholder="Subject, key or receipt id"
      />
      <OperationFilter chosen={filter.operation} />
      <FilterSelect
        name="state"
        label="State"
        all="Any state"
        options={Object.entries(STATE_LABELS).map(([value, text]) => ({ value, text }))}
        chosen={filter.state}
      />
      {keys.length > 0 && <KeyFilter keys={keys} chosen={filter.keyId} />}
      <label class="inline-field">
        Day <input type="date" name="day" value={filter.day ?? ''} />
      </label>
    </Filters>
  );
}

/** States which calls match the filter and how far back they were searched, with a link to all receipts. */
function ResultSummary({ filter, lookedBackTo }: ReceiptListProps) {
  return (
    <p class="muted">
      Matching calls{filter.text !== null && <Quoted text={filter.text} />}, newest first
      {lookedBackTo !== null && (
        <>
          , back to <DateTime at={lookedBackTo} />
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
      “<ForeignText>{text}</ForeignText>”
    </>
  );
}

/** Shows one row per call; on phones, details move under the operation. */
export function ReceiptTable({ receipts }: { receipts: readonly ShownReceipt[] }) {
  return (
    <table class="calls">
      <TableHead
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
  const state = stateText(receipt);
  return (
    <tr>
      <th scope="row">
        <a href={`${LIST}/${ledger_id}`}>{operationName(operation)}</a>
        <span class="note">
          <DateTime at={created_at} />
        </span>
        <span class="note small-only">
          <SubjectOf receipt={receipt} />
        </span>
        <span class={`note small-only ${state.class}`}>
          {state.text}
          {standing !== 'failed' && ` · ${payerText(receipt)}`}
        </span>
      </th>
      <td class="wide-only">
        <SubjectOf receipt={receipt} />
      </td>
      <td class="wide-only source">{payerText(receipt)}</td>
      <td class={`wide-only ${state.class}`}>{state.text}</td>
      <td class="n">{costText(receipt)}</td>
    </tr>
  );
}

function SubjectOf({ receipt: { subject } }: { receipt: ShownReceipt }) {
  if (subject === null) return <span class="muted">no longer listed</span>;
  return (
    <a href={subject.public_path}>
      <ForeignText>{subject.repository ?? subject.name}</ForeignText>
    </a>
  );
}

function Nothing(props: ReceiptListProps & { isFiltered: boolean }) {
  return (
    <section class="card" aria-label="Calls">
      {props.isFiltered ? (
        <NoMatch {...props} />
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

/** Explains that no call matches: how far back the search went, and what can be searched. */
function NoMatch({ filter, nextCursor, lookedBackTo }: ReceiptListProps) {
  const fits = <>No call matches{filter.text !== null && <Quoted text={filter.text} />}</>;
  return (
    <>
      {lookedBackTo !== null && nextCursor !== null ? (
        <p>
          {fits} since <DateTime at={lookedBackTo} />. Older calls were not searched yet.
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
