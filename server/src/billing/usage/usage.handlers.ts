import { Readable } from 'node:stream';
import type { UsagePage as WirePage, UsageRow as WireRow } from '../../generated/types.gen.ts';
import type { Database } from '../../platform/database/connect.ts';
import type { HandlersOf, RequestOf } from '../../platform/http/contract/handlers-of.ts';
import { requirePrincipal, requireSession } from '../../platform/http/request-context.ts';
import type { UsagePage } from './read-usage.ts';
import { readUsage } from './read-usage.ts';
import type { UsageRow } from './usage-by-day.ts';
import { ALL_USAGE, type UsageFilter } from './usage-by-day.ts';
import { openUsageCsv } from './usage-csv.ts';

/**
 * Creates the handlers that return usage to the console and to access keys. They only translate requests and answers.
 */
export function createUsageHandlers({
  database,
}: {
  database: Database;
}): HandlersOf<'listUsage' | 'readUsage' | 'exportUsage'> {
  const pageOf = async (accountId: string, query: RequestOf<'readUsage'>['query']) => {
    const { cursor = null, limit } = query;
    return presentUsagePage(await readUsage(database, accountId, { ...filterOf(query), cursor, limit }));
  };
  return {
    async listUsage(request) {
      const { accountId } = requireSession(request);
      return { status: 200, body: await pageOf(accountId, request.query) };
    },
    async readUsage(request) {
      const { accountId } = requirePrincipal(request);
      return { status: 200, body: await pageOf(accountId, request.query) };
    },
    async exportUsage(request) {
      const { accountId } = requireSession(request);
      const filter = filterOf(request.query);
      const csv = await openUsageCsv(database, accountId, filter);
      const headers = {
        'Content-Disposition': `attachment; filename="${fileNameOf(filter)}"`,
        'Content-Type': 'text/csv; charset=utf-8; header=present',
      };
      return { status: 200, headers, body: Readable.from(csv) };
    },
  };
}

function filterOf(query: RequestOf<'exportUsage'>['query']): UsageFilter {
  const { from, to, operation, api_key_id, source } = query;
  return {
    ...ALL_USAGE,
    ...(from && { from }),
    ...(to && { to }),
    ...(operation && { operation }),
    ...(api_key_id && { keyId: api_key_id.toLowerCase() }),
    ...(source && { source }),
  };
}

/** Returns the file name: `usage.csv`, or with the days of the filter `usage-from-DAY-to-DAY.csv`. */
function fileNameOf({ from, to }: UsageFilter): string {
  const days = [from && `from-${from}`, to && `to-${to}`].filter(Boolean);
  return `${['usage', ...days].join('-')}.csv`;
}

/** Converts a page of usage to the API's format. */
function presentUsagePage({ rows, nextCursor }: UsagePage): WirePage {
  return { data: rows.map(presentRow), nextCursor };
}

function presentRow(row: UsageRow): WireRow {
  return {
    day: row.day,
    operation: row.operation,
    api_key_id: row.keyId,
    api_key_name: row.keyName,
    charge_source: row.source,
    period: { period_kind: row.period, period_start: row.periodFrom, period_end: row.periodTo },
    unit: row.unit,
    settled_calls: row.settledCalls,
    failed_calls: row.failedCalls,
    held_calls: row.heldCalls,
    used: row.used,
    held: row.held,
  };
}
