import { anyOf, formsOf, parseSearch, type Search } from '../../catalog/listings/parse-search.ts';
import { chosenOf, type FilterSelection, filterTermsOf, quoteFilterTerm, TERM_FILTERS } from './filters.ts';

/** Search text, or a parsed search; null for none. */
export type Query = string | Search | null;

/** A search with filters. Its queries contain the filters that are search terms, and ignore the others. */
export interface SearchInput extends FilterSelection {
  q: Query;
}

/** Queries of a page's search, as texts for `$1::tsquery`. */
export interface PageSearch {
  /** Query for all matches. */
  readonly all: string;
  /** Query for the index: all matches or more. Results are then checked one by one. */
  readonly by: string;
  /** Queries by relevance class, as in `Search`. */
  readonly classes: readonly string[];
  /** Terms of the selected filters. */
  readonly filterTerms: readonly string[];
  /** True if there is search text. */
  readonly hasWords: boolean;
}

/** Returns the query for all matches, as `$1::tsquery`. Null if the text has no words. */
export function pageQuery(asked: SearchInput): string | null {
  return pageSearch(asked)?.all ?? null;
}

/**
 * Builds the queries of a page's search. `common` lists conditions that many listings meet. Null if the text has no
 * words.
 */
export function pageSearch({ q, ...asked }: SearchInput, common: readonly string[] = []): PageSearch | null {
  const words = readWords(q);
  if (q !== null && words === null) return null;
  const filterTerms = filterTermsOf(asked);
  const quoted = filterTerms.map(quoteFilterTerm);
  const within = (search: string) => (quoted.length === 0 ? search : [`(${search})`, ...quoted].join(' & '));
  if (words === null) {
    const all = quoted.join(' & ');
    return { all, by: all, classes: [], filterTerms, hasWords: false };
  }
  const by = within(anyOf(words.groups.map((group) => rareOf(group, common))));
  return { all: within(words.all), by, classes: words.classes.map(within), filterTerms, hasWords: true };
}

/**
 * A condition of a search, and a narrower one (`enough`) that implies it. If many listings meet the narrower one, at
 * least as many meet the condition.
 */
export interface Condition {
  condition: string;
  enough: string;
}

/** Returns each condition of a search once per narrower condition that implies it, and once with itself. */
export function conditionsOf(q: Query): Condition[] {
  const conditions = [...new Set(readWords(q)?.groups.flat())];
  return conditions.flatMap((condition) => formsOf(condition).map((enough) => ({ condition, enough })));
}

/**
 * Returns the rare conditions of a group; all conditions if none is rare. The index query leaves out common ones,
 * because the index would collect all their prefixes, even if few listings meet the rare ones.
 */
function rareOf(group: readonly string[], common: readonly string[]): readonly string[] {
  const rare = group.filter((condition) => !common.includes(condition));
  return rare.length === 0 ? group : rare;
}

function readWords(q: Query): Search | null {
  return typeof q === 'string' ? parseSearch(q) : q;
}

/** Returns true if a page needs the search index. */
export function isSearch({ q, ...filters }: SearchInput): boolean {
  return q !== null || chosenOf(TERM_FILTERS, filters).length > 0;
}
