import type { Connection } from '../../database/connect.ts';
import { searchQuery } from '../../registry/listings/search-words.ts';
import type { AgentRecord } from '../agent-record.ts';
import type { AskedSearches } from './asked-searches.ts';
import { type Counts, countChosen, countSearch } from './count-by-filter.ts';
import { type ListFilters, type Position, readCursor, writeCursor } from './cursor.ts';
import { type ListedRow, readPage } from './list-agents.repository.ts';
import type { PageWindow } from './list-agents-page.sql.ts';
import { type Stretch, stretchesOf } from './list-agents-stretches.sql.ts';
import { planSearch, planWithoutWalk, type SearchPlan } from './search-plan.ts';

export interface ListInput extends ListFilters {
  /** Entries of one type only; no part of a cursor, so such a list is paged by offset. */
  type?: 'agent' | 'skill' | null;
  limit: number;
  /** Entries to skip; not looked at with a cursor. */
  offset: number;
  cursor: string | null;
  /** Of the same search, where the caller has them already. */
  counts?: Counts;
  /** Told of a search that had to be counted. */
  asked?: AskedSearches | undefined;
}

export interface AgentList {
  agents: AgentRecord[];
  /** Every entry that matches, on whatever page. */
  total: number;
  /** For the page after this one; null on the last. */
  nextCursor: string | null;
}

/** One page of the directory with its exact total. Throws invalid_request for a cursor of another list. */
export async function listAgents(connection: Connection, input: ListInput): Promise<AgentList> {
  const after = input.cursor === null ? null : readCursor(input, input.cursor);
  const stretches = stretchesOf(input.sort, after);
  const window = { offset: after === null ? input.offset : 0, limit: input.limit };
  const { rows, total } =
    input.q === null
      ? await listAll(connection, input, stretches, window)
      : await listMatches(connection, { ...input, q: input.q }, stretches, window);
  const agents = rows.slice(0, input.limit);
  const last = agents.at(-1);
  const nextCursor = rows.length > input.limit && last ? writeCursor(input, positionOf(input, last)) : null;
  return { agents: agents.map(({ sortName: _sortName, ...record }) => record), total, nextCursor };
}

interface Found {
  /** One more than the page has, where another follows. */
  rows: ListedRow[];
  total: number;
}

async function listAll(
  connection: Connection,
  input: ListInput,
  stretches: readonly Stretch[],
  window: PageWindow,
): Promise<Found> {
  const filters = { ...input, type: input.type ?? null, search: null };
  const { rows, total } = await readPage(connection, filters, stretches, oneMore(window));
  if (total !== null) return { rows, total };
  return { rows, total: countChosen((input.counts ?? (await countSearch(connection, null))).found, filters) };
}

async function listMatches(
  connection: Connection,
  input: ListInput & { q: string },
  stretches: readonly Stretch[],
  window: PageWindow,
): Promise<Found> {
  const text = searchQuery(input.q);
  const counts = input.counts ?? (await countSearch(connection, input.q, input.asked));
  const filters = { ...input, type: input.type ?? null };
  const total = countChosen(counts.found, filters);
  if (text === null || window.offset >= total) return { rows: [], total };
  const wanted = oneMore(window);
  const read = async (plan: SearchPlan) =>
    (await readPage(connection, { ...filters, search: { text, plan } }, stretches, wanted)).rows;
  const plan = planSearch(counts, filters, wanted.offset + wanted.limit);
  const rows = await read(plan);
  // The walk may have ended before the matches did.
  const isShort = plan.by === 'order' && rows.length < Math.min(wanted.limit, total - wanted.offset);
  return { rows: isShort ? await read(planWithoutWalk(counts, filters)) : rows, total };
}

/** One more than asked for tells whether a next page exists. */
function oneMore({ offset, limit }: PageWindow): PageWindow {
  return { offset, limit: limit + 1 };
}

function positionOf(input: ListInput, { agentId, trust, confidence, sortName }: ListedRow): Position {
  if (input.sort === 'name') return { sort: input.sort, name: sortName, agentId };
  return { sort: input.sort, trust, confidence, agentId };
}
