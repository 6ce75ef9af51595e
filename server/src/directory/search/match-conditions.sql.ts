import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import type { BindParameters } from '../../platform/database/bind-parameters.ts';
import type { DirectorySearch } from './build-search.ts';
import type { WeightedTerm } from './weighted-term.ts';

/** Conditions for the matches of a search, on rows of `listing_words`. */
export interface Match {
  /** Query for the index: all matches or more, as text for `$1::tsquery`. */
  readonly by: string;
  /** True for text: its matches are counted only up to a limit. */
  readonly hasText: boolean;
  /** Estimated number of listings that `by` finds. */
  readonly expected: number;
  /** Returns the condition that rows found by the index must also meet; null if all of them match. */
  readonly also: ((values: BindParameters) => string) | null;
}

/**
 * Returns the matches of a search and of filters that are search terms, `quoted` for a `tsquery`. With `isRelevant`, a listing needs most of the
 * weighted words (the share `need`), or the text as its name; otherwise all words. Null if there is neither a text nor a
 * term.
 */
export function matchOf(
  search: DirectorySearch | null,
  quoted: readonly string[],
  isRelevant: boolean,
  need: number = SEARCH_WEIGHTS.need,
): Match | null {
  if (search === null) {
    if (quoted.length === 0) return null;
    return { by: quoted.join(' & '), hasText: false, expected: Number.POSITIVE_INFINITY, also: null };
  }
  const within = (query: string) => [`(${query})`, ...quoted].join(' & ');
  const { terms, named } = search;
  if (!isRelevant) {
    const all = terms.map(({ any }) => `(${any})`).join(' & ');
    const expected = Math.min(...terms.map((term) => term.expected));
    return { by: within(`${all} | ${named}`), hasText: true, expected, also: null };
  }
  const needed = need * totalWeight(terms);
  const heavy = terms.slice(0, heaviest(terms, needed));
  return {
    by: within([...heavy.map(({ any }) => any), named].join(' | ')),
    hasText: true,
    expected: heavy.reduce((sum, term) => sum + term.expected, 0),
    also:
      terms.length === 1
        ? null
        : (values) =>
            `(${coverage(terms, values)} >= ${values.add(needed)}::float8 - 1e-9 OR words @@ ${values.add(named)}::tsquery)`,
  };
}

/** Returns the listings that have any word of a search. */
export function matchAny({ terms, named }: DirectorySearch): Match {
  const expected = terms.reduce((sum, term) => sum + term.expected, 0);
  return { by: [...terms.map(({ any }) => any), named].join(' | '), hasText: true, expected, also: null };
}

/** Returns how many of the heaviest terms a listing must have one of, to reach the needed weight. */
function heaviest(terms: readonly WeightedTerm[], needed: number): number {
  let rest = totalWeight(terms);
  let count = 0;
  while (count < terms.length && rest >= needed) {
    rest -= terms[count]?.weight ?? 0;
    count += 1;
  }
  return Math.max(1, count);
}

/** Returns the weight of all terms together. */
export function totalWeight(terms: readonly WeightedTerm[]): number {
  return terms.reduce((sum, { weight }) => sum + weight, 0);
}

/** Returns SQL for the weight of the terms that a row of `listing_words` has. */
export function coverage(terms: readonly WeightedTerm[], values: BindParameters): string {
  return terms
    .map(
      ({ any, weight }) =>
        `CASE WHEN words @@ ${values.add(any)}::tsquery THEN ${values.add(weight)}::float8 ELSE 0 END`,
    )
    .join(' + ');
}

/** Returns SQL for how well a row of `listing_words` fits the terms, from 0 to their weight. */
export function fit(terms: readonly WeightedTerm[], values: BindParameters): string {
  const { field, synonym, prefix } = SEARCH_WEIGHTS;
  return terms
    .map((term) => {
      const places: [string, number][] = [
        [term.name, field.name],
        [term.tag, field.tag],
        ...(term.synonym === null ? [] : [[term.synonym.strong, synonym] as [string, number]]),
        [term.text, field.text],
        ...(term.synonym === null ? [] : [[term.synonym.text, field.text * synonym] as [string, number]]),
        [term.weak, Math.max(field.weak, prefix)],
      ];
      const cases = places.map(
        ([query, worth]) => `WHEN words @@ ${values.add(query)}::tsquery THEN ${worth}`,
      );
      return `${values.add(term.weight)}::float8 * CASE ${cases.join(' ')} ELSE 0 END`;
    })
    .join(' + ');
}
