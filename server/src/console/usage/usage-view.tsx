import type { KeyRecord } from '../../keys/key.ts';
import type { AccountBucket } from '../../ledger/account-buckets.ts';
import { Hatching } from '../../ui/meter.tsx';
import type { UsageFilter, UsageRow } from '../../usage/usage.ts';
import type { UsageByDay } from '../../usage/usage-by-day.ts';
import { CursorLinks } from '../frame/cursor-links.tsx';
import { FilterSelect, Filters } from '../frame/filters.tsx';
import { KeyFilter } from '../frame/key-filter.tsx';
import { OperationFilter } from '../frame/operation-filter.tsx';
import { SOURCE_NAMES } from '../frame/source-words.ts';
import { BalanceTable } from './balance-table.tsx';
import { DayChart } from './day-chart.tsx';
import { usageAddress } from './usage-filter.ts';
import { UsageTable } from './usage-table.tsx';

interface UsageViewProps {
  filter: UsageFilter;
  /** Null where the stretch asked for lies ahead. */
  byDay: UsageByDay | null;
  rows: readonly UsageRow[];
  nextCursor: string | null;
  isFirst: boolean;
  buckets: readonly AccountBucket[];
  keys: readonly KeyRecord[];
}

const USAGE = '/console/usage';

/** What calls came to: the chart, the same as a table, and the balances that paid. */
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
              <a class="button" href={usageAddress(`${USAGE}.csv`, filter)} download="usage.csv">
                Download CSV
              </a>
            )}
          </div>
          {rows.length === 0 ? <NoCalls isFiltered={isFiltered} /> : <UsageTable rows={rows} />}
          <CursorLinks
            first={{ text: 'Latest', href: isFirst ? null : usageAddress(USAGE, filter) }}
            next={{ text: 'Earlier', href: nextCursor && usageAddress(USAGE, filter, nextCursor) }}
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
        No calls fit. <a href={USAGE}>See all of the last 30 days</a>.
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
        options={Object.entries(SOURCE_NAMES).map(([value, text]) => ({ value, text }))}
        chosen={filter.source}
      />
    </Filters>
  );
}
