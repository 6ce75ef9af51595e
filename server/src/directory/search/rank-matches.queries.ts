import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import { queryWords } from '../../catalog/listings/search-words.ts';
import { BindParameters, whereClause } from '../../platform/database/bind-parameters.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';
import type { DirectorySearch } from './build-search.ts';
import { type Direction, directionOf } from './direction.ts';
import { comparedText, locateTerm, patternOf } from './locate-terms.ts';
import { fit, isMatch, type Match, totalWeight } from './match-conditions.sql.ts';

/** Limits of ranking by relevance. */
export interface RankBounds {
  /** Maximum matches that are ranked; later ones follow by popularity. */
  ranked: number;
  /** Maximum matches that are compared: the most popular ones. */
  compared: number;
  /** Maximum matches that are read from the word index; of more, those among the most popular listings are read. */
  read: number;
  /** Number of most popular listings that are read instead. */
  popular: number;
}

/**
 * Limits of searches. In a directory of a million listings, the 10,000 most popular ones are 1 %, so that a word which
 * 5,000 listings have is in about 50 of them, or more. That fills a page. `npm run bench -- search` measures both ways.
 */
export const RANK_BOUNDS: RankBounds = { ranked: 200, compared: 300, read: 5_000, popular: 10_000 };

/** Maximum words whose fit is computed, over all compared matches: fewer matches of long texts are compared. */
const MAX_FITS = 1_200;

/** An individually ranked match. */
export interface RankedMatch {
  agentId: string;
  /** Makes a cached page depend on all ranked listings, because a change of one that is not shown may move it there. */
  subjectId: string;
  popularity: number;
}

/** The words are copied into memory once: many words are stored beside their row, and each check would read them again. */
const COLUMNS = "subject_id, agent_id, popularity, words || ''::tsvector AS words";

/** Returns SQL for the popularity of the last of the most popular listings. */
function leastPopular(count: string): string {
  return `coalesce((SELECT popularity FROM listing_words ORDER BY popularity DESC OFFSET ${count} LIMIT 1), 0)`;
}

/** Old names and copies of other listings. */
const IS_DISPLACED = `EXISTS (SELECT FROM relation r WHERE r.from_listing_id = ranked.subject_id AND r.from_path IS NULL
  AND r.to_path IS NULL AND r.to_listing_id <> r.from_listing_id AND r.directed
  AND r.type IN ('renamed_to', 'probable_rename_to', 'duplicate_of', 'copied_from'))`;

/**
 * Returns the best matches, best first: how well the words fit, times how widely the listing is relied on. Compares the
 * most popular matches that meet the filters' conditions on `listing_words` only, because fit cannot make up for a large difference.
 */
export async function rankMatches(
  connection: Connection,
  search: DirectorySearch,
  match: Match,
  filters: (values: BindParameters) => string[],
  bounds: RankBounds = RANK_BOUNDS,
): Promise<RankedMatch[]> {
  const values = new BindParameters();
  const { base, trust, fitPower, allWords, displaced, named } = SEARCH_WEIGHTS;
  const isNamed = `words @@ ${values.add(search.named)}::tsquery`;
  const conditions = filters(values);
  const popular = 'ORDER BY popularity DESC, agent_id';
  const compared = values.add(Math.min(bounds.compared, Math.ceil(MAX_FITS / search.terms.length)));
  const select = (from: string) =>
    `SELECT ${COLUMNS} FROM (SELECT * FROM listing_words ${from} LIMIT ${compared}) AS best`;
  const found = isWalked(match.expected, search.listings, bounds)
    ? `(${select(`${whereClause([isNamed, isMatch(match, values), ...conditions])} ${popular}`)}) UNION ALL
       (${select(
         `${whereClause([
           `popularity >= ${leastPopular(values.add(bounds.popular))}`,
           // IS TRUE hides the condition from the index.
           `(${isMatch(match, values)}) IS TRUE`,
           `(${isNamed}) IS NOT TRUE`,
           ...conditions,
         ])} ${popular}`,
       )})`
    : select(
        `${whereClause([isMatch(match, values), ...conditions])} ORDER BY (${isNamed}) DESC, popularity DESC, agent_id`,
      );
  const { terms } = search;
  const weight = values.add(totalWeight(terms) || 1);
  const all = terms.map(({ any }) => `(${any})`).join(' & ');
  const hasAll = `CASE WHEN words @@ ${values.add(all)}::tsquery THEN ${allWords}::float8 ELSE 1 END`;
  const reliance = `(${base} + f.popularity / 1000.0::float8 + ${trust} * coalesce(k.trust * k.confidence, 0) / 10000)`;
  const byWords = `power((${fit(terms, values)}) / ${weight}::float8 * ${hasAll}, ${fitPower}) * ${reliance}`;
  const score = search.isName
    ? `${byWords} + CASE WHEN ${isNamed} THEN 1000 + ${reliance} ELSE 0 END`
    : `CASE WHEN ${isNamed} THEN ${named} * greatest(${byWords}, ${reliance}) ELSE ${byWords} END`;
  const rows = await connection.query<RankedMatch & { name: string; description: string; score: number }>(
    `${FRESH_PLAN} WITH found AS MATERIALIZED (${found}),
     ranked AS MATERIALIZED (
       SELECT f.subject_id, f.agent_id, f.popularity, ${score} AS score, k.verdict
       FROM found f JOIN listing_rank k ON k.subject_id = f.subject_id
       ORDER BY score DESC, popularity DESC, agent_id LIMIT ${values.add(bounds.ranked)})
     SELECT ranked.agent_id AS "agentId", ranked.subject_id AS "subjectId", ranked.popularity, l.name, l.description,
       ranked.score * CASE WHEN verdict = 'warning' OR ${IS_DISPLACED} THEN ${displaced} ELSE 1 END AS score
     FROM ranked JOIN listing l ON l.subject_id = ranked.subject_id
     ORDER BY score DESC, popularity DESC, "agentId"`,
    values.list,
  );
  const direction = directionOf(search.text);
  const ordered = direction === null ? rows : byDirection(rows, direction);
  return ordered.map(({ agentId, subjectId, popularity }) => ({ agentId, subjectId, popularity }));
}

/**
 * Returns true if the most popular listings are read until enough match: fewer of them than all matches, or all matches
 * are too many.
 */
function isWalked(expected: number, listings: number, { read, compared }: RankBounds): boolean {
  return expected > read || expected ** 2 > compared * listings;
}

/** Moves listings up that convert in the requested direction, and down if they convert in the other one. */
function byDirection<Row extends { name: string; description: string; score: number }>(
  rows: readonly Row[],
  direction: Direction,
): Row[] {
  const { same, other } = SEARCH_WEIGHTS.direction;
  const ends = [queryWords(direction.from).at(-1), queryWords(direction.to)[0]].map((word = '') =>
    patternOf({ word, forms: [] }),
  );
  return rows
    .map((row) => {
      const found = convertsFrom(row.name, ends) || convertsFrom(row.description, ends);
      return { row, score: row.score * (found > 0 ? same : found < 0 ? other : 1) };
    })
    .sort((one, another) => another.score - one.score)
    .map(({ row }) => row);
}

/** Maximum distance in characters between both ends of a conversion. */
const MAX_DISTANCE = 80;

/** Returns 1 if a text names both ends in this order, -1 in the other one, and 0 if it does not name both. */
function convertsFrom(text: string, ends: readonly (RegExp | null)[]): number {
  const compared = comparedText(text);
  const [starts = [], stops = []] = ends.map((pattern) =>
    locateTerm(compared, pattern).map(({ from }) => from),
  );
  const isNear = (one: number, other: number) => other > one && other - one <= MAX_DISTANCE;
  if (starts.some((start) => stops.some((stop) => isNear(start, stop)))) return 1;
  return starts.some((start) => stops.some((stop) => isNear(stop, start))) ? -1 : 0;
}
