import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import { queryWords, stemOf } from '../../catalog/listings/search-words.ts';
import { BindParameters, whereClause } from '../../platform/database/bind-parameters.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';
import type { DirectorySearch } from './build-search.ts';
import { type Direction, directionOf } from './direction.ts';
import { coverage, fit, type Match, totalWeight } from './match-conditions.sql.ts';

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
export const RANK_BOUNDS: RankBounds = { ranked: 200, compared: 600, read: 5_000, popular: 10_000 };

/** An individually ranked match. */
export interface RankedMatch {
  agentId: string;
  /** Makes a cached page depend on all ranked listings, because a change of one that is not shown may move it there. */
  subjectId: string;
  popularity: number;
}

/** The words are copied into memory once: stored ones are compressed, and each check would decompress them again. */
const COLUMNS = "subject_id, agent_id, popularity, words || ''::tsvector AS words";

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
  const conditions = [...(match.also === null ? [] : [match.also(values)]), ...filters(values)];
  const by = `words @@ ${values.add(match.by)}::tsquery`;
  const popular = 'ORDER BY popularity DESC, agent_id';
  const compared = values.add(bounds.compared);
  // IS TRUE hides the condition from the index.
  const found =
    match.expected <= bounds.read
      ? `SELECT ${COLUMNS} FROM listing_words ${whereClause([by, ...conditions])}
         ORDER BY (${isNamed}) DESC, popularity DESC, agent_id LIMIT ${compared}`
      : `(SELECT ${COLUMNS} FROM listing_words ${whereClause([isNamed, by, ...conditions])} ${popular} LIMIT ${compared})
         UNION ALL (SELECT ${COLUMNS} FROM (SELECT * FROM listing_words ${popular} LIMIT ${values.add(bounds.popular)}) AS walked
         ${whereClause([`(${by}) IS TRUE`, `(${isNamed}) IS NOT TRUE`, ...conditions])} ${popular} LIMIT ${compared})`;
  const { terms } = search;
  const weight = values.add(totalWeight(terms) || 1);
  const hasAll = `CASE WHEN ${coverage(terms, values)} >= ${weight}::float8 - 1e-9 THEN ${allWords} ELSE 1 END`;
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

/** Moves listings up that convert in the requested direction, and down if they convert in the other one. */
function byDirection<Row extends { name: string; description: string; score: number }>(
  rows: readonly Row[],
  direction: Direction,
): Row[] {
  const { same, other } = SEARCH_WEIGHTS.direction;
  return rows
    .map((row) => {
      const found = convertsFrom(row.name, direction) || convertsFrom(row.description, direction);
      return { row, score: row.score * (found > 0 ? same : found < 0 ? other : 1) };
    })
    .sort((one, another) => another.score - one.score)
    .map(({ row }) => row);
}

/** Maximum distance in words between both ends of a conversion. */
const MAX_DISTANCE = 10;

/** Returns 1 if a text names both ends in this direction, -1 in the other one, and 0 if it does not name both. */
function convertsFrom(text: string, { from, to }: Direction): number {
  const stems = queryWords(text).map(stemOf);
  const placesOf = (word = '') => stems.flatMap((stem, at) => (stem === stemOf(word) ? [at] : []));
  const [starts, ends] = [placesOf(queryWords(from).at(-1)), placesOf(queryWords(to)[0])];
  const isNear = (one: number, other: number) => other > one && other - one <= MAX_DISTANCE;
  if (starts.some((start) => ends.some((end) => isNear(start, end)))) return 1;
  return starts.some((start) => ends.some((end) => isNear(end, start))) ? -1 : 0;
}
