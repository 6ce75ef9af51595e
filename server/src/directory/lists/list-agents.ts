import type { Connection } from '../../database/connect.ts';
import type { AgentRecord } from '../agent-record.ts';
import type { AskedSearches } from './asked-searches.ts';
import { ALL, type Counts, chooseFacets, countChosen, countSearch } from './count-by-filter.ts';
import { type ListFilters, type Position, readCursor, writeCursor } from './cursor.ts';
import { type ListedRow, readPage } from './list-agents.repository.ts';
import type { PageWindow } from './list-agents-page.sql.ts';
import { hasKind, type Stretch, stretchesOf } from './list-agents-stretches.sql.ts';
import { isSearch, pageQuery } from './list-query.ts';
import { planSearch, planWithoutWalk, type SearchPlan } from './search-plan.ts';

export interface ListInput extends ListFilters {
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
  const { rows, total } = isSearch(asSearch(input))
    ? await listMatches(connection, input, stretches, window)
    : await listAll(connection, input, stretches, window);
  const agents = rows.slice(0, input.limit);
  const last = agents.at(-1);
  const nextCursor = rows.length > input.limit && last ? writeCursor(input, positionOf(input, last)) : null;
  return { agents: agents.map(({ cursorKey: _cursorKey, ...record }) => record), total, nextCursor };
}

/** What of a list a search finds: all but what the narrow rows of its order have columns for. */
function asSearch({ q, kind = null, license = null, tag = null, sort }: ListInput) {
  return { q, license, tag, kind: hasKind(sort) ? null : kind };
}

/** What of a list is a choice of those columns. */
function asChoice({ type = null, verified, tier, category, kind = null, sort }: ListInput) {
  return { type, verified, tier, category, kind: hasKind(sort) ? kind : null };
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
  const filters = { ...asChoice(input), sort: input.sort, search: null };
  const { rows, total } = await readPage(connection, filters, stretches, oneMore(window));
  if (total !== null) return { rows, total };
  const { found } = input.counts ?? (await countSearch(connection, null));
  return { rows, total: countChosen(found, filters) };
}

async function listMatches(
  connection: Connection,
  input: ListInput,
  stretches: readonly Stretch[],
  window: PageWindow,
): Promise<Found> {
  const { q, tag = null, sort } = input;
  const search = asSearch(input);
  const text = pageQuery(search);
  const { found, listed } = input.counts ?? (await countSearch(connection, q, input.asked, tag));
  const total = countChosen(found, input);
  if (text === null || window.offset >= total) return { rows: [], total };
  const wanted = oneMore(window);
  const choice = asChoice(input);
  const counts = { found: chooseFacets(found, { ...ALL, ...search }), listed };
  const read = async (plan: SearchPlan) =>
    (await readPage(connection, { ...choice, sort, search: { text, plan } }, stretches, wanted)).rows;
  const plan = planSearch(counts, choice, wanted.offset + wanted.limit);
  const rows = await read(plan);
  // The walk may have ended before the matches did.
  const isShort = plan.by === 'order' && rows.length < Math.min(wanted.limit, total - wanted.offset);
  return { rows: isShort ? await read(planWithoutWalk(counts, choice)) : rows, total };
}

/** One more than asked for tells whether a next page exists. */
function oneMore({ offset, limit }: PageWindow): PageWindow {
  return { offset, limit: limit + 1 };
}

function positionOf({ sort }: ListInput, row: ListedRow): Position {
  const { agentId, trust, confidence, stars, cursorKey } = row;
  if (sort === 'name') return { sort, name: cursorKey, agentId };
  if (sort === 'stars') return { sort, stars, agentId };
  if (sort === 'updated' || sort === 'newest') return { sort, at: cursorKey, agentId };
  return { sort, trust, confidence, agentId };
}
