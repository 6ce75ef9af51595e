import { Readable } from 'node:stream';
import type { Database } from '../database/connect.ts';
import type { HandlersOf, RequestOf } from '../http/contract/handlers-of.ts';
import { requireSession } from '../http/request-context.ts';
import { readUsage } from './read-usage.ts';
import { presentUsagePage } from './usage.presenter.ts';
import { ALL_USAGE, type UsageFilter } from './usage.ts';
import { startedUsageCsv } from './usage-csv.ts';

/** An account's usage, for the console: translates requests and answers, decides nothing. */
export function createUsageHandlers({
  database,
}: {
  database: Database;
}): HandlersOf<'listUsage' | 'exportUsage'> {
  return {
    async listUsage(request) {
      const { accountId } = requireSession(request);
      const { cursor = null, limit } = request.query;
      const page = await readUsage(database, accountId, { ...filterOf(request.query), cursor, limit });
      return { status: 200, body: presentUsagePage(page) };
    },
    async exportUsage(request) {
      const { accountId } = requireSession(request);
      const filter = filterOf(request.query);
      const csv = await startedUsageCsv(database, accountId, filter);
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

/** `usage.csv`, with the days where they were asked for. */
function fileNameOf({ from, to }: UsageFilter): string {
  const days = [from && `from-${from}`, to && `to-${to}`].filter(Boolean);
  return `${['usage', ...days].join('-')}.csv`;
}
