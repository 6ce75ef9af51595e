import type { Connection } from '../../platform/database/connect.ts';
import { BindParameters, FRESH_PLAN } from '../../platform/database/send-statement.ts';
import { AGENT_COLUMNS, AGENT_TABLES } from '../agents/agent-record.queries.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import type { KeyRange } from './key-ranges.sql.ts';
import { type PageFilters, type PageWindow, pageCte, totalSql } from './list-agents-page.sql.ts';
import { SORTS } from './sorts.ts';

/** A list entry with the text for its cursor. */
export type ListedRow = AgentRecord & { cursorKey: string | null };

/**
 * Reads the entries of one page, in order, and the total, in one statement. The total is null for an empty page and for
 * a search, whose total is needed earlier to choose the plan. Reads whole rows only of shown entries.
 */
export async function readPage(
  connection: Connection,
  filters: PageFilters,
  keyRanges: readonly KeyRange[],
  window: PageWindow,
): Promise<{ rows: ListedRow[]; total: number | null }> {
  const values = new BindParameters();
  const page = pageCte(filters, keyRanges, window, values);
  const total = filters.search === null ? totalSql(filters, values) : 'NULL';
  const found = await connection.query<ListedRow & { total: number | null }>(
    `${FRESH_PLAN} ${page}
     SELECT ${AGENT_COLUMNS}, ${SORTS[filters.sort].cursorKey} AS "cursorKey", ${total} AS total
     FROM page JOIN (${AGENT_TABLES}) ON l.agent_id = page.agent_id ORDER BY page.place`,
    values.list,
  );
  return { rows: found.map(({ total: _total, ...row }) => row), total: found[0]?.total ?? null };
}

/** Reads entries by id, in this order. */
export function readEntries(
  connection: Connection,
  entries: readonly { agentId: string; popularity: number }[],
): Promise<ListedRow[]> {
  return connection.query<ListedRow>(
    `SELECT ${AGENT_COLUMNS}, ${SORTS.relevance.cursorKey} AS "cursorKey"
     FROM unnest($1::text[], $2::smallint[]) WITH ORDINALITY AS page (agent_id, popularity, place)
     JOIN (${AGENT_TABLES}) ON l.agent_id = page.agent_id ORDER BY page.place`,
    [entries.map(({ agentId }) => agentId), entries.map(({ popularity }) => popularity)],
  );
}
