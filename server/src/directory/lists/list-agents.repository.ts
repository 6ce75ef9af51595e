import type { Connection } from '../../database/connect.ts';
import { PLANNED_ANEW } from '../../database/statement-names.ts';
import { AGENT_COLUMNS, AGENT_TABLES } from '../agent-record.sql.ts';
import type { AgentRecord } from '../agent-record.ts';
import { type PageFilters, type PageWindow, pageOf, totalOf } from './list-agents-page.sql.ts';
import { CURSOR_KEYS, type Stretch, Values } from './list-agents-stretches.sql.ts';

/** An entry of a list with what a cursor needs of it. */
export type ListedRow = AgentRecord & { cursorKey: string | null };

/**
 * The entries of one page, in order, and how many there are on all pages, in one statement; null where the page is empty,
 * and for a search, whose total decides how it is read. Only those shown are read whole.
 */
export async function readPage(
  connection: Connection,
  filters: PageFilters,
  stretches: readonly Stretch[],
  window: PageWindow,
): Promise<{ rows: ListedRow[]; total: number | null }> {
  const values = new Values();
  const page = pageOf(filters, stretches, window, values);
  const total = filters.search === null ? totalOf(filters, values) : 'NULL';
  const found = await connection.query<ListedRow & { total: number | null }>(
    `${PLANNED_ANEW} ${page}
     SELECT ${AGENT_COLUMNS}, ${CURSOR_KEYS[filters.sort]} AS "cursorKey", ${total} AS total
     FROM page JOIN (${AGENT_TABLES}) ON l.agent_id = page.agent_id ORDER BY page.place`,
    values.list,
  );
  return { rows: found.map(({ total: _total, ...row }) => row), total: found[0]?.total ?? null };
}

/** Entries by their ids, in this order. */
export function readEntries(
  connection: Connection,
  entries: readonly { agentId: string; popularity: number }[],
): Promise<ListedRow[]> {
  return connection.query<ListedRow>(
    `SELECT ${AGENT_COLUMNS}, ${CURSOR_KEYS.relevance} AS "cursorKey"
     FROM unnest($1::text[], $2::smallint[]) WITH ORDINALITY AS page (agent_id, popularity, place)
     JOIN (${AGENT_TABLES}) ON l.agent_id = page.agent_id ORDER BY page.place`,
    [entries.map(({ agentId }) => agentId), entries.map(({ popularity }) => popularity)],
  );
}
