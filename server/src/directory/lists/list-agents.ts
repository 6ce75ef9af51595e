import type { Connection } from '../../database/connect.ts';
import { readSearch } from '../../registry/listings/read-search.ts';
import type { Synonyms } from '../../registry/listings/synonyms.ts';
import type { AgentRecord } from '../agent-record.ts';
import type { AskedSearches } from './asked-searches.ts';
import { ALL, type Counts, chooseFacets, countChosen, countSearch } from './count-by-filter.ts';
import { type ListFilters, type Position, readCursor, writeCursor } from './cursor.ts';
import { type ListedRow, readPage } from './list-agents.repository.ts';
import type { PageFilters, PageWindow } from './list-agents-page.sql.ts';
import { type Stretch, stretchesOf } from './list-agents-stretches.sql.ts';
import { walkedOrder } from './list-agents-walk.sql.ts';
import { listByRelevance, type PlacedRow } from './list-by-relevance.ts';
import { isSearch, type PageSearch, pageSearch, type Query } from './list-query.ts';
import { planSearch, planWithoutWalk, type SearchPlan, walkFor } from './search-plan.ts';
import { type WidenedSearch, widenSearch } from './widen-search.ts';

export interface ListInput extends ListFilters {
  limit: number;
  /** Entries to skip; not looked at with a cursor. */
  offset: number;
  cursor: string | null;
  /** Of the same search, where the caller has them already. */
  counts?: Counts;
  /** Told of a search that had to be counted. */
  asked?: AskedSearches | undefined;
  /** `q` as it is looked for, where the caller has widened it already. */
  widened?: WidenedSearch;
  /** What words may be called else. */
  synonyms?: Synonyms | undefined;
}

export interface AgentList {
  agents: AgentRecord[];
  /** Every entry that matches, on whatever page. */
  total: number;
  /** For the page after this one; null on the last. */
  nextCursor: string | null;
  /** What a search by relevance was widened to; null where the text as written was enough. */
  didYouMean: string | null;
}

/**
 * One page of the directory with its exact total. Only what somebody searches for goes by relevance, anything else by score.
 * Throws invalid_request for a cursor of another list.
 */
export async function listAgents(connection: Connection, asked: ListInput): Promise<AgentList> {
  const isUnasked = asked.q === null && asked.sort === 'relevance';
  const input: ListInput = isUnasked ? { ...asked, sort: 'score_desc' } : asked;
  const after = input.cursor === null ? null : readCursor(input, input.cursor);
  const window = oneMore({ offset: after === null ? input.offset : 0, limit: input.limit });
  const { rows, total, didYouMean } = isSearch(asSearch(input, input.q))
    ? await listMatches(connection, input, after, window)
    : await listAll(connection, input, stretchesOf(input.sort, after), window);
  const agents = rows.slice(0, input.limit);
  const last = agents.at(-1);
  const nextCursor = rows.length > input.limit && last ? writeCursor(input, positionOf(input, last)) : null;
  return { agents: agents.map(toRecord), total, nextCursor, didYouMean };
}

/** What of a list a search finds: all but what the narrow rows of its order have columns for. */
function asSearch({ license = null, tag = null }: ListInput, q: Query) {
  return { q, license, tag };
}

/** What of a list is a choice of those columns. */
function asChoice({ type = null, verified, tier, category, kind = null }: ListInput) {
  return { type, verified, tier, category, kind };
}

interface Found {
  /** One more than the page has, where another follows. */
  rows: (ListedRow | PlacedRow)[];
  total: number;
  didYouMean: string | null;
}

async function listAll(
  connection: Connection,
  input: ListInput,
  stretches: readonly Stretch[],
  window: PageWindow,
): Promise<Found> {
  const filters = { ...asChoice(input), sort: input.sort, search: null };
  const { rows, total } = await readPage(connection, filters, stretches, window);
  if (total !== null) return { rows, total, didYouMean: null };
  const { found } = input.counts ?? (await countSearch(connection, null));
  return { rows, total: countChosen(found, filters), didYouMean: null };
}

async function listMatches(
  connection: Connection,
  input: ListInput,
  after: Position | null,
  window: PageWindow,
): Promise<Found> {
  const { query, counts, didYouMean } = await readQuery(connection, input);
  const asked = asSearch(input, query);
  const search = pageSearch(asked, counts.common);
  const total = countChosen(counts.found, input);
  if (search === null || window.offset >= total) return { rows: [], total, didYouMean };
  const choice = asChoice(input);
  const found = chooseFacets(counts.found, { ...ALL, license: asked.license });
  const matches = {
    search,
    choice: { ...choice, sort: input.sort },
    counts: { ...counts, found },
  };
  const read = (stretches: readonly Stretch[], part: PageWindow) =>
    readMatches(connection, matches, stretches, part);
  if (input.sort !== 'relevance') {
    return { rows: await read(stretchesOf(input.sort, after), window), total, didYouMean };
  }
  const position = after?.sort === 'relevance' ? after : null;
  const page = { search, found: countChosen(counts.found, ALL), choice, total, after: position, window };
  return { rows: await listByRelevance(connection, page, read), total, didYouMean };
}

interface ReadQuery {
  query: Query;
  counts: Counts;
  didYouMean: string | null;
}

/** What is looked for. Only by relevance is more found than was written: any other order shows exactly what matches. */
async function readQuery(connection: Connection, input: ListInput): Promise<ReadQuery> {
  const { q, tag = null, asked, synonyms } = input;
  const isWidened = q !== null && input.sort === 'relevance' && !input.counts;
  const widened = input.widened ?? (isWidened ? await widenSearch(connection, q, { asked, synonyms }) : null);
  const query = widened?.query ?? (q === null ? null : (readSearch(q, synonyms) ?? q));
  const known = input.counts ?? (tag === null ? widened?.counts : undefined);
  const counts = known ?? (await countSearch(connection, query, asked, tag));
  return { query, counts, didYouMean: widened?.didYouMean ?? null };
}

interface Matches {
  search: PageSearch;
  counts: Counts;
  choice: Omit<PageFilters, 'search'>;
}

async function readMatches(
  connection: Connection,
  { search, counts, choice }: Matches,
  stretches: readonly Stretch[],
  window: PageWindow,
): Promise<ListedRow[]> {
  const read = async (plan: SearchPlan) => {
    const filters = { ...choice, search: { ...search, plan } };
    return (await readPage(connection, filters, stretches, window)).rows;
  };
  const walk = walkFor(search, walkedOrder(search.marks, choice.sort));
  const plan = planSearch(counts, choice, window.offset + window.limit, walk);
  const rows = await read(plan);
  // The walk may have ended before the matches did.
  const left = countChosen(counts.found, choice) - window.offset;
  const isShort = 'most' in plan && rows.length < Math.min(window.limit, left);
  return isShort ? read(planWithoutWalk(counts, choice)) : rows;
}

/** One more than asked for tells whether a next page exists. */
function oneMore({ offset, limit }: PageWindow): PageWindow {
  return { offset, limit: limit + 1 };
}

function toRecord(row: ListedRow | PlacedRow): AgentRecord {
  const { cursorKey: _cursorKey, place: _place, ...record } = { place: null, ...row };
  return record;
}

function positionOf({ sort }: ListInput, row: ListedRow | PlacedRow): Position {
  const { agentId, trust, confidence, stars, cursorKey } = row;
  if (sort === 'name') return { sort, name: cursorKey, agentId };
  if (sort === 'stars') return { sort, stars, agentId };
  if (sort === 'updated' || sort === 'newest') return { sort, at: cursorKey, agentId };
  if (sort === 'relevance') {
    return { sort, place: 'place' in row ? row.place : null, popularity: Number(cursorKey), agentId };
  }
  return { sort, trust, confidence, agentId };
}
