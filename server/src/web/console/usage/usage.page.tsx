import type { KeyRecord } from '../../../access/keys/key-fields.ts';
import { CHARGE_SOURCES, sourceNamed } from '../../../access/plans/charge-sources.ts';
import { type Day, isDay } from '../../../access/plans/days.ts';
import { OPERATIONS } from '../../../access/plans/plans.ts';
import type { AccountBucket } from '../../../billing/ledger/account-buckets.ts';
import type { UsageByDay, UsageFilter, UsageRow } from '../../../billing/usage/usage-by-day.ts';
import { ForeignText, formatCount, formatDay, Moment } from '../../components/formatting.tsx';
import { TableHead } from '../../components/layout.tsx';
import { Hatching } from '../../components/score-figures.tsx';
import {
  CursorLinks,
  FilterSelect,
  Filters,
  hrefWith,
  KeyFilter,
  OperationFilter,
  operationName,
} from '../frame/filters.tsx';
import { DayChart } from './day-chart.tsx';

interface UsageViewProps {
  filter: UsageFilter;
  /** Usage by day; null if the requested range has no end and begins in the future or at least 366 days ago. */
  byDay: UsageByDay | null;
  rows: readonly UsageRow[];
  nextCursor: string | null;
  isFirst: boolean;
  buckets: readonly AccountBucket[];
  keys: readonly KeyRecord[];
}

const USAGE = '/console/usage';

/** Renders the usage page: chart, table and balances. */
export function UsageView(props: UsageViewProps) {
  const { filter, byDay, rows, nextCursor, isFirst, buckets, keys } = props;
  const isFiltered = Object.values(filter).some((choice) => choice !== null);
  return (
    <>
      <h1>Usage</h1>
      <p class="lead">Your calls, by start day (UTC). Failed calls cost nothing.</p>
      {(isFiltered || rows.length > 0) && <UsageFilters filter={filter} byDay={byDay} keys={keys} />}
      <Hatching />
      <div class="stack">
        {byDay !== null && byDay.days.length > 0 && (
          <section class="card" aria-labelledby="days">
            <h2 id="days">Calls a day</h2>
            <DayChart usage={byDay} />
          </section>
        )}
        <section class="card" aria-labelledby="rows">
          <div class="row apart">
            <h2 id="rows">By day, operation and key</h2>
            {rows.length > 0 && (
              <a class="button" href={usageHref(`${USAGE}.csv`, filter)} download="usage.csv">
                Download CSV
              </a>
            )}
          </div>
          {rows.length === 0 ? <NoCalls isFiltered={isFiltered} /> : <UsageTable rows={rows} />}
          <CursorLinks
            first={{ text: 'Latest', href: isFirst ? null : usageHref(USAGE, filter) }}
            next={{ text: 'Earlier', href: nextCursor && usageHref(USAGE, filter, nextCursor) }}
          />
        </section>
        <section class="card" aria-labelledby="balances">
          <h2 id="balances">Balances</h2>
          {buckets.length === 0 ? <p>No balances.</p> : <BalanceTable buckets={buckets} />}
        </section>
      </div>
    </>
  );
}

function NoCalls({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <p>
        No calls match. <a href={USAGE}>See all of the last 30 days</a>.
      </p>
    );
  }
  return (
    <p>
      No calls in the last 30 days. <a href="/console/run">Try a call</a>.
    </p>
  );
}

function UsageFilters({ filter, byDay, keys }: Pick<UsageViewProps, 'filter' | 'byDay' | 'keys'>) {
  return (
    <Filters action={USAGE}>
      <label class="inline-field">
        From <input type="date" name="from" value={filter.from ?? byDay?.from ?? ''} />
      </label>
      <label class="inline-field">
        To <input type="date" name="to" value={filter.to ?? byDay?.to ?? ''} />
      </label>
      <OperationFilter chosen={filter.operation} />
      <KeyFilter keys={keys} chosen={filter.keyId} />
      <FilterSelect
        name="source"
        label="Paid from"
        all="Any source"
        options={CHARGE_SOURCES.map(({ name, label }) => ({ value: name, text: label }))}
        chosen={filter.source}
      />
    </Filters>
  );
}

/** Shows each balance as granted minus used minus held equals left. On phones, held moves under used. */
function BalanceTable({ buckets }: { buckets: readonly AccountBucket[] }) {
  return (
    <table class="sums">
      <TableHead
        of={['Source', ['Granted', 'n'], ['− Used', 'n'], ['− Held', 'n wide-only'], ['= Left', 'n']]}
      />
      <tbody>
        {buckets.map((bucket) => (
          <tr key={bucket.id}>
            <th scope="row">
              {sourceNamed(bucket.source).label}
              <span class="note">
                {bucket.unit === 'credit' && 'credits, '}
                <span class="wide-only">
                  <Moment at={bucket.from} />{' '}
                </span>
                to <Moment at={bucket.to} />
              </span>
            </th>
            <td class="n">{formatCount(bucket.total)}</td>
            <td class="n">
              {formatCount(bucket.used)}
              {bucket.held > 0 && <span class="note medium small-only">{formatCount(bucket.held)} held</span>}
            </td>
            <td class="n wide-only">{formatCount(bucket.held)}</td>
            <td class="n">
              <strong>{formatCount(bucket.left)}</strong>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Shows usage by day, one row per operation, key and source; on phones, details move under the operation. */
function UsageTable({ rows }: { rows: readonly UsageRow[] }) {
  return (
    <table class="calls">
      <TableHead
        of={['Operation', ['Key', 'wide-only'], ['Paid from', 'wide-only'], ['Calls', 'n'], ['Credits', 'n']]}
      />
      {inDays(rows).map(([day, ofDay]) => (
        <tbody key={day}>
          <tr class="day">
            <th scope="rowgroup" colSpan={5}>
              {formatDay(day)}
            </th>
          </tr>
          {ofDay.map((row) => (
            <Row key={`${row.operation} ${row.bucketId} ${row.keyId}`} row={row} />
          ))}
        </tbody>
      ))}
    </table>
  );
}

/** Groups rows by day and keeps their order. */
function inDays(rows: readonly UsageRow[]): [Day, UsageRow[]][] {
  const days = new Map<Day, UsageRow[]>();
  for (const row of rows) {
    const ofDay = days.get(row.day);
    if (ofDay) ofDay.push(row);
    else days.set(row.day, [row]);
  }
  return [...days];
}

function Row({ row }: { row: UsageRow }) {
  const { operation, source, settledCalls, failedCalls, heldCalls, unit, used } = row;
  return (
    <tr>
      <th scope="row">
        {operationName(operation)}
        <span class="note small-only">
          <KeyOf row={row} /> · {sourceNamed(source).label}
        </span>
      </th>
      <td class="wide-only">
        <KeyOf row={row} />
      </td>
      <td class="wide-only source">{sourceNamed(source).label}</td>
      <td class="n">
        {formatCount(settledCalls + heldCalls)}
        {failedCalls > 0 && <span class="note low">{formatCount(failedCalls)} failed</span>}
        {heldCalls > 0 && <span class="note medium">{formatCount(heldCalls)} in progress</span>}
      </td>
      <td class="n">{unit === 'call' ? <span class="muted">free</span> : formatCount(used)}</td>
    </tr>
  );
}

function KeyOf({ row: { keyName, keyLastFour } }: { row: UsageRow }) {
  if (keyName === null) return <span class="muted">console</span>;
  return (
    <>
      <ForeignText>{keyName}</ForeignText> <span class="mono muted">…{keyLastFour}</span>
    </>
  );
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Parses the filter from the URL's query. Unlike the API, it ignores invalid values. */
export function parseUsageFilter(query: URLSearchParams): UsageFilter {
  const day = (name: string) => {
    const text = query.get(name) ?? '';
    return isDay(text) ? text : null;
  };
  const [from, to] = [day('from'), day('to')];
  const isReversed = from !== null && to !== null && from > to;
  const key = (query.get('key') ?? '').toLowerCase();
  const source = query.get('source') ?? '';
  return {
    from: isReversed ? to : from,
    to: isReversed ? from : to,
    operation: OPERATIONS.find((operation) => operation === query.get('operation')) ?? null,
    keyId: UUID.test(key) ? key : null,
    source: CHARGE_SOURCES.some(({ name }) => name === source) ? source : null,
  };
}

/** Returns the path of a page of the usage, or of its CSV file. */
function usageHref(
  path: string,
  { from, to, operation, keyId, source }: UsageFilter,
  cursor: string | null = null,
): string {
  return hrefWith(path, { from, to, operation, key: keyId, source, cursor });
}
