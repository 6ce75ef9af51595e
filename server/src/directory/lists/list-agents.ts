import type { Connection } from '../../database/connect.ts';
import { searchQuery } from '../../registry/listings/search-words.ts';
import type { AgentRecord } from '../agent-record.ts';
import { readTotal } from './count-by-filter.repository.ts';
import { countByFilter, countChosen } from './count-by-filter.ts';
import { type ListFilters, type Position, readCursor, writeCursor } from './cursor.ts';
import { countStretch, type PageFilters, readStretch } from './list-agents.repository.ts';
import { stretchesOf } from './list-agents-stretches.sql.ts';

export interface ListInput extends ListFilters {
  /** Entries of one type only; no part of a cursor, so such a list is paged by offset. */
  type?: 'agent' | 'skill' | null;
  limit: number;
  /** Entries to skip; not looked at with a cursor. */
  offset: number;
  cursor: string | null;
  /** How many entries match, where the caller has counted them already. */
  total?: number;
}

export interface AgentList {
  agents: AgentRecord[];
  /** Every entry that matches, on whatever page. */
  total: number;
  /** For the page after this one; null on the last. */
  nextCursor: string | null;
}

type Row = AgentRecord & { sortName: string };

/** Up to so many matches of a search are sorted outright; where there are more, the next one is never far. */
const SPARSE_MATCHES = 250_000;
/** Where every fourth entry matches, the next one is not far either, in any order. */
const DENSE_SHARE = 1 / 4;

/** One page of the directory with its exact total. Throws invalid_request for a cursor of another list. */
export async function listAgents(connection: Connection, input: ListInput): Promise<AgentList> {
  const after = input.cursor === null ? null : readCursor(input, input.cursor);
  const search = input.q === null ? null : searchQuery(input.q);
  // A search text without any word matches nothing, whereas no search text matches everything.
  if (input.q !== null && search === null) return { agents: [], total: 0, nextCursor: null };

  const filters = { ...input, search, type: input.type ?? null };
  const total = input.total ?? countChosen(await countByFilter(connection, input.q), filters);
  const offset = after === null ? input.offset : 0;
  if (offset >= total) return { agents: [], total, nextCursor: null };
  const isSparse = search !== null && (await areSparse(connection, total, input.sort));
  // One more than asked for tells whether a next page exists.
  const rows = await readPage(connection, filters, after, { offset, limit: input.limit + 1, isSparse });
  const agents = rows.slice(0, input.limit);
  const last = agents.at(-1);
  const nextCursor = rows.length > input.limit && last ? writeCursor(input, positionOf(input, last)) : null;
  return { agents, total, nextCursor };
}

/** Whether a search matches so little that finding all of it and sorting is less work than walking along the order. */
async function areSparse(connection: Connection, total: number, sort: ListInput['sort']): Promise<boolean> {
  if (total > DENSE_SHARE * (await readTotal(connection))) return false;
  return sort === 'name' || total <= SPARSE_MATCHES;
}

async function readPage(
  connection: Connection,
  filters: PageFilters,
  after: Position | null,
  window: { offset: number; limit: number; isSparse: boolean },
): Promise<Row[]> {
  const rows: Row[] = [];
  let offset = window.offset;
  for (const stretch of stretchesOf(filters.sort, after)) {
    const limit = window.limit - rows.length;
    if (limit === 0) break;
    const found = await readStretch(connection, filters, stretch, { ...window, offset, limit });
    rows.push(...found);
    // Nothing found: the offset reaches beyond this stretch, and the rest of it counts in the next one.
    const isBeyond = offset > 0 && found.length === 0;
    offset = isBeyond ? Math.max(0, offset - (await countStretch(connection, filters, stretch))) : 0;
  }
  return rows;
}

function positionOf(input: ListInput, { agentId, trust, confidence, sortName }: Row): Position {
  if (input.sort === 'name') return { sort: input.sort, name: sortName, agentId };
  return { sort: input.sort, trust, confidence, agentId };
}
