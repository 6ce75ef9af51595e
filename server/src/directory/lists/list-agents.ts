import type { Synonyms } from '../../catalog/listings/synonyms.ts';
import { createTurns } from '../../platform/batching/concurrent-calls.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { forbidCaching } from '../../platform/database/tracked-dependencies.ts';
import { CREATORS_BEST } from '../agents/agent-record.queries.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { buildSearch, type DirectorySearch } from '../search/build-search.ts';
import { isByRank, type Match, matchOf, restrictMatch } from '../search/match-conditions.sql.ts';
import { rankMatches, readsAllMatches, type SearchMatches } from '../search/rank-matches.queries.ts';
import type { IgnoredWord, SearchTerm } from '../search/search-term.ts';
import { countRanked } from './count-by-filter.queries.ts';
import { type Counts, countSearch, countSelected, MAX_COUNTED } from './count-by-filter.ts';
import { keyRangesOf, type ListFilters, type Position, readCursor, writeCursor } from './cursor.ts';
import {
  COLUMN_FILTERS,
  chosenOf,
  FILTERS,
  type Filter,
  filterTermsOf,
  quoteFilterTerm,
  SCORE_FILTERS,
  selectOnly,
} from './filters.ts';
import { findNearest, type Nearest, NOTHING_NEAR } from './find-nearest.ts';
import type { KeyRange } from './key-ranges.sql.ts';
import {
  type Finding,
  filterConditions,
  type ListedRow,
  type PageFilters,
  type PageWindow,
  readPage,
  toRecord,
} from './list-agents.queries.ts';
import { listByRelevance, type PlacedRow, type RelevancePosition } from './list-by-relevance.ts';
import { SORTS } from './sorts.ts';

export interface ListInput extends ListFilters {
  limit: number;
  /** Entries to skip; ignored with a cursor. */
  offset: number;
  cursor: string | null;
  /** Synonyms for search queries. */
  synonyms?: Synonyms | undefined;
}

export interface AgentList extends Pick<Nearest, 'nearest' | 'nearestBy'> {
  agents: AgentRecord[];
  /** Number of matching entries on all pages; a minimum if `totalIsLowerBound`. */
  total: number;
  /** True if more entries match than `total`: totals of searches are exact only up to 10,000. */
  totalIsLowerBound: boolean;
  /** Cursor of the next page; null on the last page. */
  nextCursor: string | null;
  /** Text with corrected spelling that was searched for in addition to the text; null if nothing was corrected. */
  didYouMean: string | null;
  /** Words of the search text that were not searched for; of a search without matches, also words that no entry has. */
  ignoredWords: readonly IgnoredWord[];
  /** Terms that were searched for, heaviest first; empty without search text. */
  terms: readonly SearchTerm[];
}

/**
 * Returns one page of the directory with its total. Without search text, sort by relevance falls back to score. Throws
 * invalid_request for a cursor of another list, and unavailable if too many searches for long texts wait.
 */
export async function listAgents(connection: Connection, input: ListInput): Promise<AgentList> {
  const search = await searchOf(connection, input);
  return searchInTurn(search, () => listFound(connection, input, search, null));
}

/**
 * Returns the page that `listAgents` returns, for a caller inside of `searchInTurn`. `search` is the parsed text; null
 * if it has no words. `counts` counts the matches of the same search, tag, verdict and time of change without the other
 * filters; null if the caller has no such counts.
 */
export async function listFound(
  connection: Connection,
  asked: ListInput,
  search: DirectorySearch | null,
  counts: Counts | null,
): Promise<AgentList> {
  const hasNoSearchText = asked.q === null && asked.sort === 'relevance';
  const input: ListInput = hasNoSearchText ? { ...asked, sort: 'score_desc' } : asked;
  const after = input.cursor === null ? null : readCursor(input, input.cursor);
  if (typeof input.updatedSince === 'number') forbidCaching(connection, 'times of changes are not announced');
  // Reads one row more, to detect a next page.
  const window = { offset: after === null ? input.offset : 0, limit: input.limit + 1 };
  const { rows, total, isLowerBound } = await (isSearch(input)
    ? listMatches(connection, input, search, counts, after, window)
    : listAll(connection, input, counts, keyRangesOf(input.sort, after), window));
  const agents = rows.slice(0, input.limit);
  const last = agents.at(-1);
  const hasMore = rows.length > input.limit;
  const isEmpty = input.q !== null && total === 0 && !isLowerBound;
  const { unknownWords, ...near } = isEmpty ? await findNearest(connection, search) : NOTHING_NEAR;
  return {
    agents: agents.map(toRecord),
    ...totalOf(input, agents.length, hasMore, { total, isLowerBound }),
    nextCursor:
      hasMore && last
        ? writeCursor(input, {
            keys: SORTS[input.sort].keysOf(last),
            agentId: last.agentId,
            ...(isSearch(input) ? { total: isLowerBound ? null : total } : {}),
          })
        : null,
    didYouMean: search?.didYouMean ?? null,
    ignoredWords: [...(search?.ignoredWords ?? []), ...unknownWords],
    terms: search?.terms ?? [],
    ...near,
  };
}

/** Parses the search text; null without one, and if it has no words. */
export function searchOf(
  connection: Connection,
  { q, synonyms }: ListInput,
): Promise<DirectorySearch | null> {
  return q === null ? Promise.resolve(null) : buildSearch(connection, q, synonyms);
}

/**
 * Returns true if the entries of a list are found and counted as matches, not by the stored totals: with a search text,
 * a time of change, or a filter that is not a column of all sort tables.
 */
function isSearch({ q, updatedSince = null, ...filters }: ListFilters): boolean {
  const isUncounted = filterTermsOf(filters).length > 0 || chosenOf(SCORE_FILTERS, filters).length > 0;
  return q !== null || updatedSince !== null || isUncounted;
}

interface Total {
  total: number;
  isLowerBound: boolean;
}

/**
 * Returns the total of a page. If the total is a lower bound and further entries follow, the bound grows with the page,
 * so that a loop over offsets ends only after the last entry.
 */
function totalOf(
  { offset, cursor }: ListInput,
  shown: number,
  hasMore: boolean,
  { total, isLowerBound }: Total,
): { total: number; totalIsLowerBound: boolean } {
  if (!isLowerBound) return { total, totalIsLowerBound: false };
  if (shown === 0) return { total: MAX_COUNTED, totalIsLowerBound: true };
  if (!hasMore && cursor === null) return { total: offset + shown, totalIsLowerBound: false };
  return { total: Math.max(MAX_COUNTED, offset + shown + (hasMore ? 1 : 0)), totalIsLowerBound: true };
}

const inTurn = createTurns({
  concurrent: 1,
  maxWaiting: 20,
  message: 'Too many searches for long texts are running. Use fewer words, or retry in a moment.',
});

/**
 * Runs work on the matches of a search. Searches for long texts run one at a time, so that they leave most of the
 * database to other readers (`npm run bench -- search`). Throws unavailable if too many of them wait.
 */
export function searchInTurn<Result>(
  search: DirectorySearch | null,
  work: () => Promise<Result>,
): Promise<Result> {
  return search?.isLong ? inTurn(work) : work();
}

interface Found extends Total {
  /** The rows of the page, plus one row if another page follows. */
  rows: (ListedRow | PlacedRow)[];
}

async function listAll(
  connection: Connection,
  input: ListInput,
  counts: Counts | null,
  keyRanges: readonly KeyRange[],
  window: PageWindow,
): Promise<Found> {
  const filters = { ...selectOnly(COLUMN_FILTERS, input), sort: input.sort, search: null };
  const { rows, total } = await readPage(connection, filters, keyRanges, window);
  if (total !== null) return { rows, total, isLowerBound: false };
  const { found } = counts ?? (await countSearch(connection, null));
  return { rows, total: countSelected(found, filters), isLowerBound: false };
}

async function listMatches(
  connection: Connection,
  input: ListInput,
  search: DirectorySearch | null,
  counts: Counts | null,
  after: Position | null,
  window: PageWindow,
): Promise<Found> {
  const match = input.q !== null && search === null ? null : matchOfInput(input, search);
  if (match === null) return { rows: [], total: 0, isLowerBound: false };
  const filters: Omit<PageFilters, 'search'> = { ...selectOnly(COLUMN_FILTERS, input), sort: input.sort };
  const matches: SearchMatches | null =
    input.sort === 'relevance' && search !== null
      ? { search, match, filters: (values) => filterConditions(filters, values) }
      : null;
  const position = after && relevancePosition(after);
  const isRanked = matches !== null && (position === null || position.place !== null);
  // A ranking that reads all matches also counts them.
  const isRankedFirst = isRanked && readsAllMatches(matches);
  const first = isRankedFirst ? await rankMatches(connection, matches) : null;
  const [counted, ranking] = await Promise.all([
    first !== null && first.total !== null && after === null
      ? { total: Math.min(first.total, MAX_COUNTED), isLowerBound: first.total > MAX_COUNTED }
      : countChosen(connection, input, counts, match, after),
    isRanked && first === null ? rankMatches(connection, matches) : first,
  ]);
  const { total, isLowerBound } = counted;
  if (total === 0 || (!isLowerBound && window.offset >= total)) return { rows: [], ...counted };
  const isMany = isLowerBound || total > MAX_COUNTED;
  const readBy =
    (by: Finding) =>
    async (keyRanges: readonly KeyRange[], part: PageWindow): Promise<ListedRow[]> =>
      (await readPage(connection, { ...filters, search: { match, by } }, keyRanges, part)).rows;
  if (matches === null) {
    // If the filter on the verdict alone decides on a match, an index contains the matches in the order of scores.
    const isInOrder = isByRank(match) && SORTS[input.sort].table === 'listing_rank';
    const isInIndex = isInOrder && chosenOf(COLUMN_FILTERS, input).length === 0;
    return {
      rows: await readBy(isMany || isInIndex ? 'rank' : 'words')(keyRangesOf(input.sort, after), window),
      ...counted,
    };
  }
  const checked = ((window.offset + window.limit) * matches.search.listings) / total;
  const by = isMany || checked * COST_OF_CHECK < total ? 'rank' : 'words';
  const page = { ranking, after: position, window };
  return { rows: await listByRelevance(connection, matches, page, readBy(by)), ...counted };
}

/** Cost of checking one entry for the words of a search, as a multiple of the cost of one match from the word index. */
const COST_OF_CHECK = 8;

/**
 * Returns the condition for the matches of a list's search text, term filters, filter on the verdict and time of
 * change; null if the list has none of these. Column filters are not part of it.
 */
export function matchOfInput(input: ListFilters, search: DirectorySearch | null): Match | null {
  const match = matchOf(search, filterTermsOf(input).map(quoteFilterTerm), input.sort === 'relevance');
  const { updatedSince = null } = input;
  const ranked = chosenOf(SCORE_FILTERS, input);
  if (updatedSince === null && ranked.length === 0) return match;
  return restrictMatch(match, {
    ...(updatedSince !== null && { since: updatedSince }),
    ...(ranked.length > 0 && { ranked }),
  });
}

/**
 * Number of listings, as last counted, with a word that alone is enough for a match, above which the matches are not
 * counted again: they certainly exceed the limit `MAX_COUNTED`. This holds even if 2% of a million listings were
 * removed since. After the removal of so many listings, all words are recounted (`many-matches.db.test.ts`).
 */
const CERTAINLY_MORE = 4 * MAX_COUNTED;

/**
 * Counts the matches that pass the filters. If the cursor contains the total of the first page, returns that total.
 * Otherwise derives the total from `known` if these counts are sufficient.
 */
async function countChosen(
  connection: Connection,
  input: ListInput,
  known: Counts | null,
  match: Match,
  after: Position | null,
): Promise<Total> {
  if (after?.total === null) return { total: MAX_COUNTED, isLowerBound: true };
  if (after?.total !== undefined) return { total: after.total, isLowerBound: false };
  const isFiltered = chosenOf(Object.keys(FILTERS) as Filter[], input).length > 0;
  if (known === null && !isFiltered && match.counted > CERTAINLY_MORE)
    return { total: MAX_COUNTED, isLowerBound: true };
  const suffices = known !== null && (!known.isLowerBound || !isFiltered);
  if (!suffices && isByRank(match))
    return { total: await countRanked(connection, match.ranked ?? [], input), isLowerBound: false };
  const counts = suffices ? known : await countSearch(connection, match, selectOnly(COLUMN_FILTERS, input));
  const total = countSelected(counts.found, input);
  return counts.isLowerBound ? { total: MAX_COUNTED, isLowerBound: true } : { total, isLowerBound: false };
}

function relevancePosition({ keys, agentId }: Position): RelevancePosition | null {
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
