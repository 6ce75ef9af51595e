import { Readable } from 'node:stream';
import { accountBalance } from '../../balance/account-balance.ts';
import { DomainError } from '../../domain-error.ts';
import { keysToChoose } from '../../keys/list-keys.ts';
import { addDays } from '../../plans/days.ts';
import { readUsage } from '../../usage/read-usage.ts';
import type { UsageFilter } from '../../usage/usage.ts';
import { usageByDay } from '../../usage/usage-by-day.ts';
import { startedUsageCsv } from '../../usage/usage-csv.ts';
import type { ConsoleParts } from '../console-parts.ts';
import type { Answer } from '../frame/answer.ts';
import type { ConsoleRouter } from '../frame/console-router.ts';
import type { Visit } from '../frame/visit.ts';
import { readUsageFilter } from './usage-filter.ts';
import { UsageView } from './usage-view.tsx';

const USAGE = '/console/usage';
const ROWS = 31;
/** What the chart can show at once. */
const MOST_DAYS = 366;

/** What calls came to: per day as a chart and a table, by operation, key and source, and as a file. */
export function registerUsagePages(router: ConsoleRouter, parts: ConsoleParts): void {
  router.show(USAGE, (visit) => showUsage(parts, visit));
  router.show(`${USAGE}.csv`, async ({ accountId, query }) => {
    const rows = await startedUsageCsv(parts.database, accountId, readUsageFilter(query));
    return {
      fileName: 'usage.csv',
      mediaType: 'text/csv; charset=utf-8; header=present',
      file: Readable.from(rows),
    };
  });
}

async function showUsage(parts: ConsoleParts, { accountId, query }: Visit): Promise<Answer> {
  const { database, planBook } = parts;
  const filter = readUsageFilter(query);
  const cursor = query.get('cursor');
  const byDay = await usageByDay(database, accountId, drawable(filter)).catch((error: unknown) => {
    // A first day that lies ahead, with no last one: there is nothing to draw.
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
      keys={await keysToChoose(database, accountId, filter.keyId)}
    />
  );
  return { title: 'Usage', tab: 'usage', content };
}

/** The last year of a longer stretch. */
function drawable(filter: UsageFilter): UsageFilter {
  const { from, to } = filter;
  if (from === null || to === null || addDays(from, MOST_DAYS) > to) return filter;
  return { ...filter, from: addDays(to, 1 - MOST_DAYS) };
}
