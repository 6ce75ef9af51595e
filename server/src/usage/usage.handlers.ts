import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { Database } from '../database/connect.ts';
import type { RouteHandlers } from '../generated/fastify.gen.ts';
import type { ExportUsageData, ListUsageData } from '../generated/types.gen.ts';
import { requireSession } from '../http/request-context.ts';
import { readUsage } from './read-usage.ts';
import { presentUsagePage } from './usage.presenter.ts';
import { ALL_USAGE, type UsageFilter } from './usage.ts';
import { startedUsageCsv } from './usage-csv.ts';

const DEFAULT_LIMIT = 20;

/** An account's usage, for the console: translates requests and answers, decides nothing. */
export function createUsageHandlers({
  database,
}: {
  database: Database;
}): Pick<RouteHandlers, 'listUsage' | 'exportUsage'> {
  return {
    async listUsage(request, reply) {
      const { accountId } = requireSession(request as FastifyRequest);
      const query = (request.query ?? {}) as NonNullable<ListUsageData['query']>;
      const { cursor = null, limit = DEFAULT_LIMIT } = query;
      const page = await readUsage(database, accountId, { ...filterOf(query), cursor, limit });
      return reply.code(200).send(presentUsagePage(page));
    },
    async exportUsage(request, reply) {
      const { accountId } = requireSession(request as FastifyRequest);
      const filter = filterOf((request.query ?? {}) as NonNullable<ExportUsageData['query']>);
      const csv = await startedUsageCsv(database, accountId, filter);
      return reply
        .code(200)
        .header('Content-Disposition', `attachment; filename="${fileNameOf(filter)}"`)
        .type('text/csv; charset=utf-8; header=present')
        .send(Readable.from(csv) as never);
    },
  };
}

function filterOf(query: NonNullable<ExportUsageData['query']>): UsageFilter {
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
