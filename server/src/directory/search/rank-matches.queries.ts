import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { BindParameters, FRESH_PLAN, whereClause } from '../../platform/database/send-statement.ts';
import type { DirectorySearch } from './build-search.ts';
import { type Direction, directionFactor, directionOf } from './direction.ts';
import { comparedName } from './locate-terms.ts';
import { checkMatch, fit, isMatch, type Match, totalWeight } from './match-conditions.sql.ts';
import { nearnessOf } from './nearness.ts';

/**
 * Limits of ranking by relevance. For a compared match, the relevance is computed. All other matches follow in the order
 * of popularity.
 */
export interface RankBounds {
  /** Maximum popular matches that are compared. The same maximum applies to matches whose name is the text. */
  compared: number;
  /**
   * Maximum expected matches for which all matches are read from the word index. If more are expected, the most popular
   * listings are read first (`readsAllMatches`).
   */
  read: number;
  /** Number of the most popular listings that are read first if not all matches are read. */
  popular: number;
  /**
   * Minimum matches among the most popular listings. If there are fewer, all matches are read from the word index,
   * unless too many are expected (`READ_AFTER_ALL`).
   */
  enough: number;
}

/**
 * Default limits. Example: of a million listings, the 10,000 most popular ones are 1%. If 5,000 listings have a word,
 * about 50 of the most popular ones have it, which fills a page. `npm run bench -- search` measures both strategies.
 */
export const RANK_BOUNDS: RankBounds = { compared: 200, read: 5_000, popular: 10_000, enough: 20 };

/** Maximum product of compared matches and words: the more words a text has, the fewer matches are compared. */
const MAX_FITS = 800;
/** Maximum compared matches of a long text: a page and a few more, because pasted texts must not slow other readers. */
const MAX_COMPARED_OF_LONG = 24;

/**
 * Multiple of `RankBounds.read`. If too few of the most popular listings match, all matches are read instead, unless
 * more matches than this multiple are expected.
 */
const READ_AFTER_ALL = 5;

/** A match whose relevance was computed. */
interface RankedMatch {
  agentId: string;
  /**
   * Recorded as a dependency of a cached page, even if the listing is not shown: a change of the listing may move it
   * onto the page.
   */
  subjectId: string;
  popularity: number;
  /** True if the name of the listing is the search text. */
  isNamed: boolean;
}

export interface Ranking {
  /** The compared matches, best first. */
  ranked: readonly RankedMatch[];
  /**
   * The least popular of the matches that are compared for their popularity. All further matches follow it by
   * popularity. Null if there are no further matches.
   */
  last: { popularity: number; agentId: string } | null;
  /** Number of all matches; null if only the most popular listings were read. */
  total: number | null;
}

/** Returns SQL for the lowest popularity among the `count` most popular listings. */
function leastPopular(count: string): string {
  return `coalesce((SELECT popularity FROM listing_words ORDER BY popularity DESC OFFSET ${count} LIMIT 1), 0)`;
}

/** SQL for whether listing `f` is an old name or a copy of another listing. */
const IS_DISPLACED = `EXISTS (SELECT FROM relation r WHERE r.from_listing_id = f.subject_id AND r.from_path IS NULL
  AND r.to_path IS NULL AND r.to_listing_id <> r.from_listing_id AND r.directed
  AND r.type IN ('renamed_to', 'probable_rename_to', 'duplicate_of', 'copied_from'))`;

/** Matches of a search, with conditions of filters on the columns of `listing_words`. */
export interface SearchMatches {
  search: DirectorySearch;
  match: Match;
  filters: (values: BindParameters) => string[];
  bounds?: RankBounds;
}

/**
 * Returns the best matches, best first. The relevance is how well the words fit, times a factor for popularity and
 * trust. Compares only the most popular matches that pass the filters, because a better fit cannot make up for much
 * lower popularity.
 */
export async function rankMatches(connection: Connection, matches: SearchMatches): Promise<Ranking> {
  const { match, bounds = RANK_BOUNDS } = matches;
  const compare = async (popular: number | null): Promise<Ranking> => {
    const { ranked, total } = await compareMatches(connection, matches, popular);
    const popularOnes = ranked.filter(({ isNamed }) => !isNamed);
    const hasAll = popular === null && popularOnes.length < mostCompared(matches);
    return { ranked, total, last: hasAll ? null : lastOf(popularOnes) };
  };
  if (!readsAllMatches(matches)) {
    const ranking = await compare(bounds.popular);
    const isEnough = ranking.ranked.length >= bounds.enough || match.expected > READ_AFTER_ALL * bounds.read;
    if (isEnough && ranking.last !== null) return ranking;
  }
  return compare(null);
}

/** Returns the maximum number of matches whose relevance is computed. */
function mostCompared({ search, bounds = RANK_BOUNDS }: SearchMatches): number {
  const most = search.isLong ? MAX_COMPARED_OF_LONG : Math.ceil(MAX_FITS / search.terms.length);
  return Math.min(bounds.compared, most);
}

const BY_POPULARITY = 'ORDER BY popularity DESC, agent_id';

/** Returns SQL for the most popular matches whose name is the text. */
function namedMatches(matches: SearchMatches, values: BindParameters): string {
  const { search, match, filters } = matches;
  const isNamed = `words @@ ${values.add(search.named)}::tsquery`;
  // Checks each of these few listings by itself: the word index would read the posting lists of all words.
  const conditions = whereClause([isNamed, checkMatch(match, values), ...filters(values)]);
  return `SELECT * FROM (SELECT * FROM listing_words ${conditions} OFFSET 0) AS named
    ${BY_POPULARITY} LIMIT ${values.add(mostCompared(matches))}`;
}

/** Returns a condition that excludes the matches of `namedMatches`, which are compared because of their name. */
export function isNotNamed(matches: SearchMatches, values: BindParameters): string {
  return `agent_id NOT IN (SELECT agent_id FROM (${namedMatches(matches, values)}) AS compared)`;
}

/**
 * Compares matches, and returns them, best first, with the number of all matches. With `popular`, reads only the
 * matches whose name is the text, and this number of the most popular listings. It then counts nothing.
 */
async function compareMatches(
  connection: Connection,
  matches: SearchMatches,
  popular: number | null,
): Promise<Pick<Ranking, 'ranked' | 'total'>> {
  const { search, match, filters } = matches;
  const values = new BindParameters();
  const { base, trust, fitPower, allWords, length, displaced, named } = SEARCH_WEIGHTS;
  // A materialized CTE prevents the planner from scanning the index by popularity until it finds enough matches.
  const found = whereClause(
    popular === null
      ? [isMatch(match, values), ...filters(values)]
      : [`popularity >= ${leastPopular(values.add(popular))}`, checkMatch(match, values), ...filters(values)],
  );
  const most = values.add(mostCompared(matches));
  const isOther = 'agent_id NOT IN (SELECT agent_id FROM named)';
  const read =
    popular === null
      ? `matching AS MATERIALIZED (SELECT agent_id, subject_id, popularity FROM listing_words ${found}),
     popular AS MATERIALIZED (SELECT w.* FROM (SELECT subject_id FROM matching WHERE ${isOther} ${BY_POPULARITY} LIMIT ${most}) AS best
       JOIN listing_words w ON w.subject_id = best.subject_id)`
      : `popular AS MATERIALIZED (SELECT * FROM (SELECT * FROM listing_words ${found}) AS matching
       WHERE ${isOther} ${BY_POPULARITY} LIMIT ${most})`;
  const { terms } = search;
  const counted = search.isLong ? terms.filter(({ listings }) => listings > 0) : terms;
  const weight = values.add(totalWeight(terms) || 1);
  const all = terms.map(({ any }) => `(${any})`).join(' & ');
  const hasAll = `CASE WHEN words @@ ${values.add(all)}::tsquery THEN ${allWords}::float8 ELSE 1 END`;
  const reliance = `(${base} + f.popularity / 1000.0::float8 + ${trust} * coalesce(k.trust * k.confidence, 0) / 10000)`;
  // A listing whose name is the search text is not ranked lower for having many words: of several such listings, the
  // most used one is meant.
  const byLength = `CASE WHEN is_named THEN 1 ELSE power(${length.words} / (${length.words} + length(words))::float8, ${length.power}) END`;
  const fitted = `power((${fit(counted, values)}) / ${weight}::float8 * ${hasAll}, ${fitPower}) * ${byLength}`;
  const byWords = `f.fit * ${reliance}`;
  const score = search.isName
    ? `${byWords} + CASE WHEN is_named THEN 1000 + ${reliance} ELSE 0 END`
    : `CASE WHEN is_named THEN ${named} * greatest(${byWords}, ${reliance}) ELSE ${byWords} END`;
  const direction = directionOf(search.text);
  const readsTexts = !search.isLong && !search.isName && terms.length > 1;
  // The best plan for a long text does not depend on its words, and planning takes a fifth of the statement's time, so
  // the plan is kept. With filters, there would be too many different statements to keep their plans.
  const keepsPlan =
    search.isLong && match.since === undefined && !match.ranked && filters(new BindParameters()).length === 0;
  const plan = keepsPlan ? '' : FRESH_PLAN;
  // Copies the words into memory once: many are stored out of line (TOAST), and each check would fetch them again. The
  // fit is computed in a separate CTE, so that the statement contains its long expression, and plans it, only once.
  const rows = await connection.query<ComparedRow>(
    `${plan} WITH named AS MATERIALIZED (${namedMatches(matches, values)}),
     ${read},
     copied AS MATERIALIZED (
       SELECT subject_id, agent_id, popularity, true AS is_named, words || ''::tsvector AS words FROM named UNION ALL
       SELECT subject_id, agent_id, popularity, false, words || ''::tsvector FROM popular),
     found AS MATERIALIZED (SELECT subject_id, agent_id, popularity, is_named, ${fitted} AS fit FROM copied),
     scored AS MATERIALIZED (SELECT f.agent_id AS "agentId", f.subject_id AS "subjectId", f.popularity, f.is_named AS "isNamed",
         (${score}) * CASE WHEN k.verdict = 'warning' OR ${IS_DISPLACED} THEN ${displaced} ELSE 1 END AS score
       FROM found f JOIN listing_rank k ON k.subject_id = f.subject_id)
     SELECT s.*, ${popular === null ? '(SELECT count(*) FROM matching)::int' : 'NULL::int'} AS total,
       ${readsTexts ? `CASE WHEN row_number() OVER (${BY_SCORE}) <= ${MAX_READ} THEN ${TEXTS} END` : 'NULL'} AS texts
     FROM scored s ${BY_SCORE}`,
    values.list,
  );
  const ordered = readsTexts ? byTexts(rows, search, direction) : rows;
  const ranked = ordered.map(({ agentId, subjectId, popularity, isNamed }) => ({
    agentId,
    subjectId,
    popularity,
    isNamed,
  }));
  return { ranked, total: popular === null ? (rows[0]?.total ?? 0) : null };
}

interface ComparedRow extends RankedMatch {
  /** Name, description and tags; null for a match whose texts are not read. */
  texts: readonly string[] | null;
  score: number;
  total: number | null;
}

const BY_SCORE = 'ORDER BY score DESC, popularity DESC, "agentId"';

/**
 * Maximum matches whose texts are read; the others count as if no words were near one another. Texts change a score by a
 * factor of at most 2.5, or 6 for a conversion, so a match behind the first fifty seldom becomes one of the first ten.
 */
const MAX_READ = 50;

/** SQL for the texts of a scored match, in which its words are compared by their places. */
const TEXTS = `(SELECT ARRAY[l.name, l.description, array_to_string(l.tags, ' ')] FROM listing l WHERE l.subject_id = s."subjectId")`;

/** Returns the last match in the order of popularity: the least popular one; null without matches. */
function lastOf(matches: readonly RankedMatch[]): RankedMatch | null {
  const byPopularity = matches.toSorted(
    (one, other) => other.popularity - one.popularity || (one.agentId < other.agentId ? -1 : 1),
  );
  return byPopularity.at(-1) ?? null;
}

/**
 * Returns true if all matches are read from the word index. Returns false if the most popular listings are read first,
 * because this reads fewer rows or because there are too many matches.
 */
export function readsAllMatches({ search, match, bounds = RANK_BOUNDS }: SearchMatches): boolean {
  const { read, compared } = bounds;
  return match.expected <= read && match.expected ** 2 <= compared * search.listings;
}

/**
 * Orders matches by their scores and texts: listings whose texts have the words near one another move up, and so do those
 * that convert in the requested direction.
 */
function byTexts(
  rows: readonly ComparedRow[],
  { terms }: DirectorySearch,
  direction: Direction | null,
): ComparedRow[] {
  const { least, power } = SEARCH_WEIGHTS.near;
  const nearness = nearnessOf(terms);
  const converts = direction === null ? () => 1 : directionFactor(direction);
  return rows
    .map((row) => {
      const [name = '', ...others] = row.texts ?? [];
      const share = row.isNamed ? 1 : nearness([name, comparedName(name).lower, ...others]);
      return { row, score: row.score * (least + (1 - least) * share ** power) * converts(row.texts ?? []) };
    })
    .sort((one, another) => another.score - one.score)
    .map(({ row }) => row);
}
