import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import type { BindParameters } from '../../platform/database/send-statement.ts';
import type { DirectorySearch } from './build-search.ts';
import type { WeightedTerm } from './search-term.ts';

/** A column of `listing_rank` with the value that a match must have. */
export type RankedValue = readonly [column: string, value: string | boolean];

/** Conditions for the matches of a search, on rows of `listing_words`. */
export interface Match {
  /** Query for the word index, as text for `$1::tsquery`; empty if there is neither a search text nor a filter term. */
  readonly by: string;
  /**
   * Queries for the listings of a long text that are found in the word index and then checked for `by`: those of its
   * name, and those with some of its rarest words (`rarestWords`), which all queries of `words` find. Absent for other
   * searches (`npm run bench -- search`: pasted texts).
   */
  readonly rarest?: { readonly words: readonly string[]; readonly named: string };
  /** Time in milliseconds since 1970 since which the listing or its score has changed; absent for any time. */
  readonly since?: number;
  /** Columns of `listing_rank`, each with the value that it must have; absent if there are none. */
  readonly ranked?: readonly RankedValue[];
  /** True for a search with text, whose matches are counted only up to a limit. */
  readonly hasText: boolean;
  /** Estimated number of listings that `by` finds; infinite without a search text. */
  readonly expected: number;
  /**
   * Lower bound for the number of matches: the number of listings, as last counted, with a word that alone is enough
   * for a match. 0 if no single word is enough.
   */
  readonly counted: number;
}

/**
 * Returns the condition for the matches of a search that also have the filter terms, which are `quoted` for a
 * `tsquery`. A listing matches if the text is its name, or if it has enough words. With `isRelevant`, words with a
 * certain share of the total weight are enough; a match of a long text must also be among the listings of its rarest
 * words (`rarestWords`). `needs` lists the possible shares; the first for which enough matches are expected is used,
 * otherwise the last. Without `isRelevant`, all words are required. Returns null if there is neither a text nor a
 * filter term.
 */
export function matchOf(
  search: DirectorySearch | null,
  quoted: readonly string[],
  isRelevant: boolean,
  needs: readonly number[] = needsOf(search),
): Match | null {
  if (search === null) {
    if (quoted.length === 0) return null;
    return { by: quoted.join(' & '), hasText: false, expected: Number.POSITIVE_INFINITY, counted: 0 };
  }
  const within = (query: string) => [`(${query})`, ...quoted].join(' & ');
  const { terms, named, listings } = search;
  if (!isRelevant) {
    const all = terms.map(({ any }) => `(${any})`).join(' & ');
    const expected = listings * Math.min(...terms.map(({ share }) => share));
    const counted = quoted.length === 0 && terms.length === 1 ? (terms[0]?.listings ?? 0) : 0;
    return { by: within(`${all} | ${named}`), hasText: true, expected, counted };
  }
  const heaviest = terms.slice(0, SEARCH_WEIGHTS.needed);
  const needed = neededWeight(heaviest, listings, needs);
  const heavy = combinations(heaviest, needed);
  if (search.isLong) {
    const rarest = rarestWords(search);
    return {
      by: within(`${heavy.query} | ${named}`),
      rarest: { words: rarest.queries, named },
      hasText: true,
      expected: Math.min(rarest.share, heavy.share) * listings,
      counted: 0,
    };
  }
  const expected = Math.max(heavy.share, shareOfSynonyms(heaviest, needed)) * listings;
  const sufficient = quoted.length === 0 ? heaviest.filter(({ weight }) => weight >= needed) : [];
  const counted = Math.max(0, ...sufficient.map((term) => term.listings));
  return { by: within(`${heavy.query} | ${named}`), hasText: true, expected, counted };
}

/**
 * Returns the shares of the total weight that may be enough for a match, largest first. Names and long texts have only
 * one.
 */
function needsOf(search: DirectorySearch | null): readonly number[] {
  const { need, lesserNeeds } = SEARCH_WEIGHTS;
  return search === null || search.isName || search.isKnown || search.isLong
    ? [need]
    : [need, ...lesserNeeds.needs];
}

/**
 * Returns the weight that is enough for a match: the first for which enough matches are expected, otherwise the last.
 */
function neededWeight(heaviest: readonly WeightedTerm[], listings: number, needs: readonly number[]): number {
  const { expected, expectedShare } = SEARCH_WEIGHTS.lesserNeeds;
  const enough = Math.min(expected / listings, expectedShare);
  const weights = needs.map((need) => need * totalWeight(heaviest));
  return weights.find((needed) => combinations(heaviest, needed).share >= enough) ?? weights.at(-1) ?? 0;
}

/** Returns the condition for listings that have at least one word of a search. */
export function matchAny({ terms, named, listings }: DirectorySearch): Match {
  const share = terms.reduce((sum, term) => sum + term.share, 0);
  const query = [...terms.map(({ any }) => any), named].join(' | ');
  return { by: query, hasText: true, expected: share * listings, counted: 0 };
}

/**
 * Restricts a match to listings that have changed, or were scored, since a time, or that have values in `listing_rank`.
 * A null match means all listings.
 */
export function restrictMatch(match: Match | null, restriction: Pick<Match, 'since' | 'ranked'>): Match {
  const all: Match = { by: '', hasText: false, expected: Number.POSITIVE_INFINITY, counted: 0 };
  // No count of the restricted matches is stored, so their number is not known in advance.
  return { ...(match ?? all), counted: 0, ...restriction };
}

/** Returns true if columns of `listing_rank` alone decide on a match. */
export function isByRank({ by, since, ranked = [] }: Match): boolean {
  return by === '' && since === undefined && ranked.length > 0;
}

/**
 * Number of expected matches up to which the word index is always read. Of more matches, a scan that stops at a limit
 * finds enough sooner (`many-matches.db.test.ts`): at a million listings, the first 10,000 of a very common word are
 * counted in half the time.
 */
const MAX_FROM_INDEX = 10_000;

/**
 * Returns SQL for a match as a condition on a row of `listing_words`, so that indexes find the matches. If few are
 * expected, a subquery conceals the query's words from the planner. For a search with many synonyms, the planner would
 * read all of 18,000 listings instead, because it assumes that the index reads a page for each word
 * (`many-matches.db.test.ts`).
 */
export function isMatch(match: Match, values: BindParameters): string {
  const isConcealed = match.expected <= MAX_FROM_INDEX;
  return conditionsOf(match, values, (query) => (isConcealed ? `(SELECT ${query})` : query));
}

/**
 * Returns SQL that checks a single row of `listing_words`, here called `row`, for a match. IS TRUE prevents the use of
 * the word index, and the ranking row of each checked entry is looked up by its id.
 */
export function checkMatch(
  { ranked = [], ...match }: Match,
  values: BindParameters,
  row = 'listing_words',
): string {
  const found = conditionsOf(match, values, (query) => query);
  const checks = found === '' ? [] : [`(${found}) IS TRUE`];
  if (ranked.length > 0)
    checks.push(
      `EXISTS (SELECT FROM listing_rank r WHERE r.subject_id = ${row}.subject_id AND ${isRanked(ranked, 'r', values)} OFFSET 0)`,
    );
  return checks.join(' AND ');
}

/** Returns SQL for the conditions of a match. `asQuery` returns SQL for the query that the word index answers. */
function conditionsOf(
  { by, rarest, since, ranked = [] }: Match,
  values: BindParameters,
  asQuery: (query: string) => string,
): string {
  const conditions: string[] = [];
  const inIndex = (query: string) => `words @@ ${asQuery(`${values.add(query)}::tsquery`)}`;
  if (rarest !== undefined) {
    // A condition per word is faster than one for all words: a pasted text takes 8.8 instead of 10.7 ms at a million
    // listings (`npm run bench -- search`).
    const found = `(${rarest.words.map(inIndex).join(' AND ')}) OR ${inIndex(rarest.named)}`;
    // IS TRUE prevents a second search of the word index.
    conditions.push(`(${found})`, `(words @@ ${values.add(by)}::tsquery) IS TRUE`);
  } else if (by !== '') conditions.push(inIndex(by));
  if (since !== undefined) conditions.push(hasChanged(since, values));
  if (ranked.length > 0)
    conditions.push(
      `subject_id IN (SELECT r.subject_id FROM listing_rank r WHERE ${isRanked(ranked, 'r', values)})`,
    );
  return conditions.join(' AND ');
}

/** Returns SQL that checks whether a row of `listing_rank` has these values. */
export function isRanked(ranked: readonly RankedValue[], row: string, values: BindParameters): string {
  return ranked.map(([column, value]) => `${row}.${column} = ${values.add(value)}`).join(' AND ');
}

/**
 * Builds the condition that a listing or its score has changed since a time. The subquery reads each of the two tables
 * once, instead of once for every entry (`updated-since.db.test.ts`).
 */
function hasChanged(since: number, values: BindParameters): string {
  const from = `to_timestamp(${values.add(since)}::float8 / 1000)`;
  return `subject_id IN (SELECT l.subject_id FROM listing l WHERE l.updated_at >= ${from}
    UNION ALL SELECT r.subject_id FROM listing_rank r WHERE r.score_version >= ${from})`;
}

/** Tolerance for rounding errors when weights are compared. */
const ROUNDING = 1e-9;

interface IndexQuery {
  query: string;
  /** Estimated share of all listings that the query finds. */
  share: number;
}

/**
 * Returns a query for the listings whose terms together weigh at least `needed`. Such a listing has either the first
 * term and further terms with the remaining weight, or only further terms that together weigh `needed`. The estimated
 * share assumes that words occur independently of each other.
 */
function combinations([first, ...others]: readonly WeightedTerm[], needed: number): IndexQuery {
  if (first === undefined) return { query: '', share: 1 };
  const any = `(${first.any})`;
  const rest = needed - first.weight > ROUNDING ? combinations(others, needed - first.weight) : null;
  const withFirst = rest === null ? any : `${any} & (${rest.query})`;
  const share = first.share * (rest?.share ?? 1);
  if (totalWeight(others) < needed - ROUNDING) return { query: withFirst, share };
  const without = combinations(others, needed);
  return {
    query: `${withFirst} | ${without.query}`,
    share: share + (1 - first.share) * without.share,
  };
}

/**
 * Returns the largest share of listings that match because of one synonym. Such a synonym replaces adjacent words of
 * the text that together weigh `needed`: "natural language" replaces "plain english". `combinations` would treat these
 * words as independent, and so expect only a fiftieth of the matches.
 */
function shareOfSynonyms(terms: readonly WeightedTerm[], needed: number): number {
  const found = new Map<string, { weight: number; share: number }>();
  for (const { weight, synonymShares } of terms)
    for (const [key, share] of synonymShares)
      found.set(key, { weight: (found.get(key)?.weight ?? 0) + weight, share });
  const enough = [...found.values()].filter(({ weight }) => weight >= needed - ROUNDING);
  return Math.max(0, ...enough.map(({ share }) => share));
}

/**
 * Maximum expected listings that are searched for the words of a long text. Without this limit, the index reads the
 * listings of several common words (`many-matches.db.test.ts`).
 */
const MAX_RAREST = 1_000;

/**
 * Returns queries for the listings that are searched for a long text; a listing must match all of them. There is one
 * query for the listings with at least one of its rarest words, taking as many words as have at most `MAX_RAREST` listings
 * together. If every known word alone has more listings, there is a query for each of the rarest words, taking as many
 * words as are needed to expect at most `MAX_RAREST` listings. `share` is the estimated share of all listings.
 */
function rarestWords({ terms, listings }: DirectorySearch): { queries: string[]; share: number } {
  const byShare = terms.toSorted((one, other) => one.share - other.share);
  const rare: WeightedTerm[] = [];
  let share = 0;
  for (const term of byShare) {
    if ((share + term.share) * listings > MAX_RAREST) break;
    rare.push(term);
    share += term.share;
  }
  if (share > 0 || rare.length === byShare.length) {
    return { queries: [rare.map(({ any }) => `(${any})`).join(' | ')], share };
  }
  share = 1;
  const common: WeightedTerm[] = [];
  for (const term of byShare.slice(rare.length)) {
    if (share * listings <= MAX_RAREST) break;
    common.push(term);
    share *= term.share;
  }
  return { queries: common.map(({ any }) => any), share };
}

/** Returns the weight of all terms together. */
export function totalWeight(terms: readonly WeightedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

/** Returns SQL for how well a row of `listing_words` fits the terms: from 0 to the sum of their weights. */
export function fit(terms: readonly WeightedTerm[], values: BindParameters): string {
  const { field, synonym } = SEARCH_WEIGHTS;
  const fits = terms.map((term) => {
    const places: [string, number][] = [
      [term.name, field.name],
      [term.tag, field.tag],
      ...(term.synonym === null ? [] : [[term.synonym.strong, synonym] as [string, number]]),
      [term.text, field.text],
      ...(term.synonym === null ? [] : [[term.synonym.text, field.text * synonym] as [string, number]]),
      [term.weak, field.weak],
    ];
    // Checks first whether the listing has the term in any field. Most listings lack some terms, so this saves checks.
    const cases = [
      `WHEN NOT words @@ ${values.add(term.anywhere)}::tsquery THEN 0`,
      ...places.map(([query, worth]) => `WHEN words @@ ${values.add(query)}::tsquery THEN ${worth}::float8`),
    ];
    return `${values.add(term.weight)}::float8 * CASE ${cases.join(' ')} ELSE 0 END`;
  });
  return fits.join(' + ') || '0';
}
