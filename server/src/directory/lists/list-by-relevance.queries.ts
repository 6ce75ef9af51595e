import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';
import type { FilterSelection } from './filters.ts';
import { BindParameters, type KeyRange } from './key-ranges.sql.ts';
import { type ListedRow, readEntries } from './list-agents.queries.ts';
import type { PageWindow } from './list-agents-page.sql.ts';
import { filterConditions, indexConditions, whereClause } from './list-conditions.sql.ts';
import type { PageSearch } from './list-query.ts';
import { SORTS } from './sorts.ts';

/** Limits of relevance ranking. */
interface RankBounds {
  /** Maximum matches ranked individually. */
  ranked: number;
  /** Maximum matches of a relevance class that is ranked completely. */
  whole: number;
  /** Number of most popular listings among which matches of a larger class are ranked. */
  popular: number;
}

/**
 * Selects the best matches, best first. Reads relevance classes in order, and stops when there are enough matches or
 * after a class too large to read completely. A word in half of the directory then costs little more than a rare one.
 */
function rankMatches(
  classes: readonly string[],
  selection: FilterSelection,
  { ranked, whole, popular }: RankBounds,
  values: BindParameters,
): string {
  const bounds = { ranked: values.add(ranked), whole: values.add(whole), popular: values.add(popular) };
  const choices = filterConditions(selection, values);
  const parts = classes.map((search, at) =>
    partOf(at, [`(words @@ ${values.add(search)}::tsquery)`, ...choices], bounds),
  );
  const all = classes.map((_, at) => `SELECT *, ${at} AS class FROM class_${at}`).join(' UNION ALL ');
  return `WITH ${parts.join(', ')}
SELECT found.agent_id AS "agentId", subject_id AS "subjectId", popularity
FROM (${all}) AS found JOIN listing_rank USING (subject_id)
ORDER BY class, popularity DESC, trust DESC NULLS LAST, found.agent_id LIMIT ${bounds.ranked}`;
}

/**
 * Selects the best matches of a search with few results, best first. Queries the index once and computes each match's
 * class from its words; one index query per class would cost six times as much.
 */
function rankFewMatches(
  search: PageSearch,
  selection: FilterSelection,
  { ranked }: RankBounds,
  values: BindParameters,
): string {
  const most = values.add(ranked);
  const classes = search.classes.map((each, at) => `WHEN words @@ ${values.add(each)}::tsquery THEN ${at}`);
  return `WITH found AS MATERIALIZED (
  SELECT ${COLUMNS}, CASE ${classes.join(' ')} END AS class FROM listing_words
  ${whereClause([...indexConditions(search, values), ...filterConditions(selection, values)])})
SELECT best.agent_id AS "agentId", subject_id AS "subjectId", popularity
FROM (SELECT *, rank() OVER (ORDER BY class, popularity DESC) AS rank FROM found) AS best JOIN listing_rank USING (subject_id)
WHERE rank <= ${most} ORDER BY class, popularity DESC, trust DESC NULLS LAST, best.agent_id LIMIT ${most}`;
}

const COLUMNS = 'subject_id, agent_id, popularity';

function partOf(at: number, match: readonly string[], bounds: Record<keyof RankBounds, string>): string {
  const before = Array.from({ length: at }, (_, place) => place);
  const isFull = [...before.map((place) => `(SELECT count(*) FROM class_${place})`), '0'].join(' + ');
  const isLeft = [
    `${isFull} < ${bounds.ranked}`,
    ...before.map((place) => `(SELECT count(*) FROM few_${place}) <= ${bounds.whole}`),
  ].join(' AND ');
  const isNew = before.map((place) => `subject_id NOT IN (SELECT subject_id FROM class_${place})`);
  const [search = '', ...choices] = match;
  // PostgreSQL evaluates a CTE only as far as needed, so `found` is cheap. IS TRUE hides the condition from the
  // index, so that the second part scans the most popular listings.
  return `found_${at} AS MATERIALIZED (SELECT ${COLUMNS} FROM listing_words ${whereClause(match)}),
few_${at} AS MATERIALIZED (SELECT * FROM found_${at} LIMIT CASE WHEN ${isLeft} THEN ${bounds.whole} + 1 ELSE 0 END),
class_${at} AS MATERIALIZED (SELECT * FROM (
    SELECT * FROM few_${at} WHERE (SELECT count(*) FROM few_${at}) <= ${bounds.whole}
    UNION ALL SELECT ${COLUMNS} FROM
      (SELECT * FROM listing_words ORDER BY ${SORTS.relevance.orderBy} LIMIT ${bounds.popular}) AS walked
      ${whereClause([`${search} IS TRUE`, ...choices, `(SELECT count(*) FROM few_${at}) > ${bounds.whole}`])}
  ) AS matching ${whereClause(isNew)} ORDER BY ${SORTS.relevance.orderBy} LIMIT ${bounds.ranked})`;
}

/** An individually ranked match of a search. */
interface RankedMatch {
  agentId: string;
  subjectId: string;
  /** Base-2 logarithm of the stars. */
  popularity: number;
}

/** Returns the best matches, best first. */
export function readRanked(
  connection: Connection,
  { classes }: PageSearch,
  selection: FilterSelection,
  bounds: RankBounds,
): Promise<RankedMatch[]> {
  const values = new BindParameters();
  const sql = rankMatches(classes, selection, bounds, values);
  return connection.query<RankedMatch>(`${FRESH_PLAN} ${sql}`, values.list);
}

/** Returns the best matches of a search with few results. */
export function readFewRanked(
  connection: Connection,
  search: PageSearch,
  selection: FilterSelection,
  bounds: RankBounds,
): Promise<RankedMatch[]> {
  const values = new BindParameters();
  const sql = rankFewMatches(search, selection, bounds, values);
  return connection.query<RankedMatch>(`${FRESH_PLAN} ${sql}`, values.list);
}

/**
 * Ranks the first 200 matches by relevance class, popularity and trust; later ones by popularity only. Of a class with
 * more than 5,000 matches, ranks only those among the 5,000 most popular listings. In a directory of a million listings
 * these are 0.5 %, so such a class still has about 25 ranked matches or more, if its matches are spread evenly. That
 * fills a page.
 */
const DEFAULT_BOUNDS: RankBounds = { ranked: 200, whole: 5_000, popular: 5_000 };

/**
 * A row of the list. `place` is its position among the individually ranked matches; null for the matches after those.
 */
export type PlacedRow = ListedRow & { place: number | null };

export interface RelevancePage {
  search: PageSearch;
  /** Number of matches before filtering. */
  found: number;
  selection: FilterSelection;
  /** Number of matches after filtering. */
  total: number;
  after: { place: number | null; popularity: number; agentId: string } | null;
  window: PageWindow;
  bounds?: RankBounds;
}

/** Reads the matches after the ranked ones, by popularity. */
export type ReadUnranked = (keyRanges: readonly KeyRange[], window: PageWindow) => Promise<ListedRow[]>;

/** Returns one page of the matches, best first. */
export async function listByRelevance(
  connection: Connection,
  { search, found, selection, total, after, window, bounds = DEFAULT_BOUNDS }: RelevancePage,
  readBehind: ReadUnranked,
): Promise<PlacedRow[]> {
  const read = found <= bounds.whole ? readFewRanked : readRanked;
  const ranked = await read(connection, search, selection, bounds);
  const from = after === null ? window.offset : after.place === null ? ranked.length : after.place + 1;
  const shown = ranked.slice(from, from + window.limit);
  const rows = await readEntries(connection, shown);
  const first = rows.map((row, at) => ({ ...row, place: from + at }));
  const missing = window.limit - shown.length;
  const isAll = ranked.length >= total;
  if (missing === 0 || isAll) return first;
  const behind =
    after === null || after.place !== null
      ? SORTS.relevance.whole
      : SORTS.relevance.after([null, after.popularity], after.agentId);
  const offset = after === null ? Math.max(0, window.offset - ranked.length) : 0;
  const rest = await readBehind(behind.map(excluding(ranked)), { offset, limit: missing });
  return [...first, ...rest.map((row) => ({ ...row, place: null }))];
}

/** Excludes the ranked matches from a key range. */
function excluding(ranked: readonly RankedMatch[]): (keyRange: KeyRange) => KeyRange {
  const ids = ranked.map(({ agentId }) => agentId);
  return (keyRange) => (values) => [...keyRange(values), `agent_id <> ALL (${values.add(ids)}::text[])`];
}
