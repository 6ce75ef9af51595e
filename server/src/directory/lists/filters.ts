import { CATEGORIES } from '../../catalog/listings/listing-row.ts';
import type { VerdictState } from '../../scoring/verdict/verdict.ts';

interface FilterEntry {
  /** Label on the list page. */
  readonly label: string;
  /** Position among the menus and in the links of the list page. */
  readonly place: number;
  /**
   * Storage of a listing's value.
   * - `column`: a column of this name in the sort tables (`SORTS`) and in the totals (`listing_total`).
   * - `term`: a search word, as the database function `listing_marks` writes it.
   * - `counted term`: a search word, and a column of the totals with the spelling of the source.
   * - `score`: a column of this name in `listing_rank` only, because it changes with the score. An index finds its
   *   values in the order of scores.
   */
  readonly stored: 'column' | 'counted term' | 'term' | 'score';
  /** Prefix of the filter's terms. No search word begins with `#`, so a search text never matches a filter term. */
  readonly prefix?: `#${string}:`;
  /** Values that the list page offers; null if it offers the most frequent ones and accepts any. */
  readonly values: readonly (string | true)[] | null;
}

/**
 * All filters by query parameter. Query parameters, cursors, conditions, counts, links and menus derive from this
 * table.
 */
export const FILTERS = {
  type: { label: 'Type', place: 1, stored: 'column', values: ['agent', 'skill'] },
  verified: { label: 'Owner', place: 7, stored: 'column', values: [true] },
  tier: { label: 'Tier', place: 6, stored: 'column', values: ['high', 'medium', 'low'] },
  category: { label: 'Category', place: 2, stored: 'column', values: CATEGORIES },
  kind: { label: 'Kind', place: 4, stored: 'column', values: null },
  license: { label: 'Licence', place: 5, stored: 'counted term', prefix: '#l:', values: null },
  tag: { label: 'Tag', place: 3, stored: 'term', prefix: '#t:', values: null },
  verdict: {
    label: 'Verdict',
    place: 8,
    stored: 'score',
    values: ['verified', 'well_evidenced', 'little_evidence', 'warning'] satisfies readonly VerdictState[],
  },
} as const satisfies Readonly<Record<string, FilterEntry>>;

/** Filters of the directory, by query parameter. */
export type Filter = keyof typeof FILTERS;

type FilterStoredAs<Kind extends FilterEntry['stored']> = {
  [Name in Filter]: (typeof FILTERS)[Name]['stored'] extends Kind ? Name : never;
}[Filter];

/** Filters that the totals have a column for. */
export type CountedFilter = FilterStoredAs<'column' | 'counted term'>;

/** Filters without a column in the totals, which are counted in another way. */
export type UncountedFilter = Exclude<Filter, CountedFilter>;

/** Type of a filter's value: boolean, or any string. A string that no listing has as its value matches nothing. */
export type FilterValue<Name extends Filter> = (typeof FILTERS)[Name]['values'] extends readonly true[]
  ? boolean
  : string;

/** Selected filter values. Null, like an absent value, means no filter. */
export type FilterSelection = { readonly [Name in Filter]?: FilterValue<Name> | null | undefined };

/** A value or null for every filter. */
export type FilterValues = { [Name in Filter]: FilterValue<Name> | null };

/** Selection that matches everything. */
export const NO_FILTERS: FilterSelection = {};

const NAMES = Object.keys(FILTERS) as Filter[];

const filtersStoredAs = <Kind extends FilterEntry['stored']>(...kinds: Kind[]) =>
  NAMES.filter((name) => kinds.some((kind) => kind === FILTERS[name].stored)) as FilterStoredAs<Kind>[];

/** Filters with a column in the sort tables. */
export const COLUMN_FILTERS = filtersStoredAs('column');

/** Filters whose values are search terms, and have a column in the totals. */
export const COUNTED_TERM_FILTERS = filtersStoredAs('counted term');

/** Filters with a column in the totals. */
export const COUNTED_FILTERS = filtersStoredAs('column', 'counted term');

/** Filters whose values are search terms. */
export const TERM_FILTERS = filtersStoredAs('counted term', 'term');

/** Filters whose values are columns of `listing_rank` only. */
export const SCORE_FILTERS = filtersStoredAs('score');

/** Filters in the order of the list page. */
export const SHOWN_FILTERS = [...NAMES].sort((a, b) => FILTERS[a].place - FILTERS[b].place);

/**
 * Returns a value or null for every filter, from a query or another selection. A parameter that is not in `FILTERS`
 * does not compile.
 */
export function filterValuesOf<Given extends FilterSelection>(
  selection: Given & Readonly<Record<Exclude<keyof Given, Filter>, never>>,
): FilterValues {
  return Object.fromEntries(NAMES.map((name) => [name, selection[name] ?? null])) as FilterValues;
}

/** Returns the part of a selection that belongs to these filters. */
export function selectOnly(names: readonly Filter[], selection: FilterSelection): FilterSelection {
  return Object.fromEntries(chosenOf(names, selection));
}

/** Returns the filters that are in use, with their values. */
export function chosenOf<Name extends Filter>(
  names: readonly Name[],
  selection: FilterSelection,
): [Name, string | boolean][] {
  return names.flatMap((name): [Name, string | boolean][] => {
    const value = selection[name] ?? null;
    return value === null ? [] : [[name, value]];
  });
}

const MAX_TERM_CHARACTERS = 100;

/**
 * Returns the search terms of the selected values, for filters whose values are search terms. A to Z are in lower case,
 * whatever the locale.
 */
export function filterTermsOf(selection: FilterSelection): string[] {
  return chosenOf(TERM_FILTERS, selection).map(
    ([name, value]) => `${FILTERS[name].prefix}${spell(String(value))}`,
  );
}

/** Quotes a filter term for a `tsquery`. */
export function quoteFilterTerm(term: string): string {
  return `'${term.replace(/['\\]/g, '$&$&')}'`;
}

/** Formats a value as it is stored in a filter term. */
function spell(value: string): string {
  return lowerAscii([...value].slice(0, MAX_TERM_CHARACTERS).join(''));
}

/** Lower-cases A to Z only, as PostgreSQL's `lower` does in the C locale. */
export function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
