import { parseSearch } from '../../catalog/listings/parse-search.ts';
import type { Synonyms } from '../../catalog/listings/synonyms.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { CREATORS_BEST } from '../agents/agent-record.queries.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import type { IgnoredWord, SearchTerm } from '../search/search-term.ts';
import type { AskedSearches } from './asked-searches.ts';
import { type Counts, countSearch, countSelected, selectFacets } from './count-by-filter.ts';
import { keyRangesOf, type ListFilters, type Position, readCursor, writeCursor } from './cursor.ts';
import { COLUMN_FILTERS, COUNTED_TERM_FILTERS, NO_FILTERS, selectOnly } from './filters.ts';
import type { KeyRange } from './key-ranges.sql.ts';
import { type ListedRow, readPage } from './list-agents.queries.ts';
import type { PageFilters, PageWindow } from './list-agents-page.sql.ts';
import { scannedOrder } from './list-agents-scan.sql.ts';
import { listByRelevance, type PlacedRow } from './list-by-relevance.queries.ts';
import { isSearch, type PageSearch, pageSearch, type Query } from './list-query.ts';
import { type RelaxedSearch, relaxQuery } from './relax-query.ts';
import { planSearch, planWithoutScan, type SearchPlan, scanCostOf } from './search-plan.ts';
import { SORTS, type Sort } from './sorts.ts';

export interface ListInput extends ListFilters {
  limit: number;
  /** Entries to skip; ignored with a cursor. */
  offset: number;
  cursor: string | null;
  /** Counts of the same search, if the caller has them. */
  counts?: Counts;
  /** Collects searches that had no stored total, to store it later. */
  asked?: AskedSearches | undefined;
  /** The relaxed `q`, if the caller has relaxed it already. */
  relaxed?: RelaxedSearch;
  /** Synonyms for search queries. */
  synonyms?: Synonyms | undefined;
}

export interface AgentList {
  agents: AgentRecord[];
  /** Number of matching entries on all pages; if `totalIsLowerBound`, at least so many. */
  total: number;
  /** True if more entries match than `total`: totals of searches are exact only up to 10,000. */
  totalIsLowerBound: boolean;
  /** Words of the search text that were not looked for. */
  ignoredWords: readonly IgnoredWord[];
  /** Terms that the search looked for, most telling first; empty without search text. */
  terms: readonly SearchTerm[];
  /** Listings that have some of the words, best first, if no listing matches the search; otherwise empty. */
  nearest: AgentRecord[];
  /** Cursor of the next page; null on the last page. */
  nextCursor: string | null;
  /** Text that a search by relevance was extended with; null if it was not relaxed. */
  didYouMean: string | null;
}

/**
 * Returns one page of the directory with the exact total. Without search text, sort by relevance falls back to score.
 * Throws invalid_request for a cursor of another list.
 */
export async function listAgents(connection: Connection, asked: ListInput): Promise<AgentList> {
  const hasNoSearchText = asked.q === null && asked.sort === 'relevance';
  const input: ListInput = hasNoSearchText ? { ...asked, sort: 'score_desc' } : asked;
  const after = input.cursor === null ? null : readCursor(input, input.cursor);
  const window = withOneMore({ offset: after === null ? input.offset : 0, limit: input.limit });
  const { rows, total, didYouMean } = isSearch(input)
    ? await listMatches(connection, input, after, window)
    : await listAll(connection, input, keyRangesOf(input.sort, after), window);
  const agents = rows.slice(0, input.limit);
  const last = agents.at(-1);
  const nextCursor =
    rows.length > input.limit && last ? writeCursor(input, positionOf(input.sort, last)) : null;
  const found = { agents: agents.map(toRecord), total, nextCursor, didYouMean };
  return { ...found, totalIsLowerBound: false, ignoredWords: [], terms: [], nearest: [] };
}

interface Found {
  /** One row more than the page if another page follows. */
  rows: (ListedRow | PlacedRow)[];
  total: number;
  didYouMean: string | null;
}

async function listAll(
  connection: Connection,
  input: ListInput,
  keyRanges: readonly KeyRange[],
  window: PageWindow,
): Promise<Found> {
  const filters = { ...selectOnly(COLUMN_FILTERS, input), sort: input.sort, search: null };
  const { rows, total } = await readPage(connection, filters, keyRanges, window);
  if (total !== null) return { rows, total, didYouMean: null };
  const { found } = input.counts ?? (await countSearch(connection, null));
  return { rows, total: countSelected(found, filters), didYouMean: null };
}

async function listMatches(
  connection: Connection,
  input: ListInput,
  after: Position | null,
  window: PageWindow,
): Promise<Found> {
  const { query, counts, didYouMean } = await readQuery(connection, input);
  const search = pageSearch({ ...input, q: query }, counts.common);
  const total = countSelected(counts.found, input);
  if (search === null || window.offset >= total) return { rows: [], total, didYouMean };
  const selection = selectOnly(COLUMN_FILTERS, input);
  const found = selectFacets(counts.found, selectOnly(COUNTED_TERM_FILTERS, input));
  const matches = {
    search,
    selection: { ...selection, sort: input.sort },
    counts: { ...counts, found },
  };
  const read = (keyRanges: readonly KeyRange[], part: PageWindow) =>
    readMatches(connection, matches, keyRanges, part);
  if (input.sort !== 'relevance') {
    return { rows: await read(keyRangesOf(input.sort, after), window), total, didYouMean };
  }
  const position = after && relevancePosition(after);
  const page = {
    search,
    found: countSelected(counts.found, NO_FILTERS),
    selection,
    total,
    after: position,
    window,
  };
  return { rows: await listByRelevance(connection, page, read), total, didYouMean };
}

interface ReadQuery {
  query: Query;
  counts: Counts;
  didYouMean: string | null;
}

/**
 * Parses the search and counts its matches. Relaxes it only when sorting by relevance; other orders show exact matches.
 */
async function readQuery(connection: Connection, input: ListInput): Promise<ReadQuery> {
  const { q, tag = null, asked, synonyms } = input;
  const isWidened = q !== null && input.sort === 'relevance' && !input.counts;
  const widened = input.relaxed ?? (isWidened ? await relaxQuery(connection, q, { asked, synonyms }) : null);
  const query = widened?.query ?? (q === null ? null : (parseSearch(q, synonyms) ?? q));
  const known = input.counts ?? (tag === null ? widened?.counts : undefined);
  const counts = known ?? (await countSearch(connection, query, asked, tag));
  return { query, counts, didYouMean: widened?.didYouMean ?? null };
}

interface Matches {
  search: PageSearch;
  counts: Counts;
  selection: Omit<PageFilters, 'search'>;
}

async function readMatches(
  connection: Connection,
  { search, counts, selection }: Matches,
  keyRanges: readonly KeyRange[],
  window: PageWindow,
): Promise<ListedRow[]> {
  const read = async (plan: SearchPlan) => {
    const filters = { ...selection, search: { ...search, plan } };
    return (await readPage(connection, filters, keyRanges, window)).rows;
  };
  const scan = scanCostOf(search, scannedOrder(search.filterTerms, selection.sort));
  const plan = planSearch(counts, selection, window.offset + window.limit, scan);
  const rows = await read(plan);
  // The index scan may have reached its limit before the page was full.
  const left = countSelected(counts.found, selection) - window.offset;
  const isShort = 'most' in plan && rows.length < Math.min(window.limit, left);
  return isShort ? read(planWithoutScan(counts, selection)) : rows;
}

/** Reads one row more, to detect a next page. */
function withOneMore({ offset, limit }: PageWindow): PageWindow {
  return { offset, limit: limit + 1 };
}

function toRecord(row: ListedRow | PlacedRow): AgentRecord {
  const { cursorKey: _cursorKey, place: _place, ...record } = { place: null, ...row };
  return record;
}

/** Returns the position of a page's last entry, for a cursor. */
function positionOf(sort: Sort, row: ListedRow | PlacedRow): Position {
  return { keys: SORTS[sort].keysOf(row), agentId: row.agentId };
}

function relevancePosition({ keys, agentId }: Position) {
  if (!SORTS.relevance.isKeys(keys)) return null;
  const [place, popularity] = keys;
  return { place, popularity, agentId };
}

/** Returns a page of a creator's listings, highest trust first. */
export function listCreatorAgents(
  connection: Connection,
  creatorId: string,
  { limit, offset }: { limit: number; offset: number },
): Promise<AgentRecord[]> {
  return connection.query<AgentRecord>(CREATORS_BEST, [creatorId, limit, offset]);
}
