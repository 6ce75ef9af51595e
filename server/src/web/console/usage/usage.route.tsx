import { Readable } from 'node:stream';
import { selectableKeys } from '../../../access/keys/list-keys.ts';
import { addDays } from '../../../access/plans/days.ts';
import { accountBalance } from '../../../billing/balance/account-balance.ts';
import { readUsage } from '../../../billing/usage/read-usage.ts';
import { type UsageFilter, usageByDay } from '../../../billing/usage/usage-by-day.ts';
import { openUsageCsv } from '../../../billing/usage/usage-csv.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import type { ConsoleResponse } from '../frame/console-document.tsx';
import type { ConsoleDependencies, ConsoleRouter, Visit } from '../frame/console-router.ts';
import { parseUsageFilter, UsageView } from './usage.page.tsx';

const USAGE = '/console/usage';
const ROWS = 31;
/** Maximum days in the chart. */
const MAX_DAYS = 366;

/** Registers the usage page (chart, and table by day, operation, key and source) and its CSV file. */
export function registerUsagePages(router: ConsoleRouter, parts: ConsoleDependencies): void {
  router.get(USAGE, (visit) => showUsage(parts, visit));
  router.get(`${USAGE}.csv`, async ({ accountId, query }) => {
    const rows = await openUsageCsv(parts.database, accountId, parseUsageFilter(query));
    return {
      fileName: 'usage.csv',
      mediaType: 'text/csv; charset=utf-8; header=present',
      file: Readable.from(rows),
    };
  });
}

async function showUsage(parts: ConsoleDependencies, { accountId, query }: Visit): Promise<ConsoleResponse> {
  const { database, planBook } = parts;
  const filter = parseUsageFilter(query);
  const cursor = query.get('cursor');
  const byDay = await usageByDay(database, accountId, limitToChart(filter)).catch((error: unknown) => {
    // The requested range has no end and begins in the future or too long ago for the chart, so no chart is drawn.
    if (error instanceof DomainError && error.code === 'invalid_request') return null;
    throw error;
  });
  const shown = { ...filter, from: filter.from ?? byDay?.from ?? null };
  const table = await readUsage(database, accountId, { ...shown, cursor, limit: ROWS });
  const balance = await accountBalance(database, planBook, accountId);
  const content = (
    <UsageView
      filter={filter}
      byDay={byDay}
      rows={table.rows}
      nextCursor={table.nextCursor}
      isFirst={cursor === null}
      buckets={balance.buckets}
      keys={await selectableKeys(database, accountId, filter.keyId)}
    />
  );
  return { title: 'Usage', tab: 'usage', content };
}

/**
 * Limits a range to its last MAX_DAYS days, which the chart can show. A range without a first or last day is returned
 * unchanged.
 */
function limitToChart(filter: UsageFilter): UsageFilter {
  const { from, to } = filter;
  if (from === null || to === null || addDays(from, MAX_DAYS) > to) return filter;
  return { ...filter, from: addDays(to, 1 - MAX_DAYS) };
}
