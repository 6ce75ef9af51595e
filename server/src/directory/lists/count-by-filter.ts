import type { Connection } from '../../platform/database/connect.ts';
import type { AskedSearches } from './asked-searches.ts';
import { countMatches, type KeptFacet, readKeptTotal, readTotals } from './count-by-filter.queries.ts';
import {
  COUNTED_FILTERS,
  type CountedFilter,
  chosenOf,
  FILTERS,
  type FilterSelection,
  type FilterValue,
  lowerAscii,
  NO_FILTERS,
} from './filters.ts';
import { conditionsOf, pageSearch, type Query } from './list-query.ts';

/** Number of listings with these filter values. A licence is spelled as by the source, and empty if unknown. */
export type Facet = { readonly [Name in CountedFilter]: FilterValue<Name> } & { readonly count: number };

/** Returns the number of listings that pass the filters. */
export function countSelected(facets: readonly Facet[], selection: FilterSelection): number {
  return selectFacets(facets, selection).reduce((sum, { count }) => sum + count, 0);
}

/** Returns the facets that pass the filters. */
export function selectFacets(facets: readonly Facet[], selection: FilterSelection): readonly Facet[] {
  const chosen = chosenOf(COUNTED_FILTERS, selection);
  return facets.filter((facet) => chosen.every(([name, value]) => hasValue(facet, name, value)));
}

/** Compares exactly, except for terms, which ignore the case of A to Z. */
function hasValue(facet: Facet, name: CountedFilter, value: string | boolean): boolean {
  if (FILTERS[name].stored === 'column') return facet[name] === value;
  return lowerAscii(String(facet[name])) === lowerAscii(String(value));
}

/** Matches of a search and all listings, by filter values. */
export interface Counts {
  found: readonly Facet[];
  listed: readonly Facet[];
  /** Conditions of the search that many listings meet. */
  common?: readonly string[];
  /** True if the counts come from a stored total; the ids of the matches may then be stored, too. */
  kept?: boolean;
}

/**
 * Counts the matches of a search and a tag (null: all listings). Reads stored totals for common searches and without a
 * search, at a cost independent of the directory's size. Counts other searches, and reports them to `asked`.
 */
export async function countSearch(
  connection: Connection,
  q: Query,
  asked?: AskedSearches,
  tag: string | null = null,
): Promise<Counts> {
  if (q === null && tag === null) {
    const listed = await readTotals(connection);
    return { found: listed, listed };
  }
  const search = pageSearch({ q, tag });
  // Search text without any word matches nothing, whereas no search text matches everything.
  if (search === null) return { found: [], listed: [] };
  const known = await readKeptTotal(connection, search.all, conditionsOf(q));
  const listed = facetsOf(known, ({ listed }) => listed);
  const common = known[0]?.common ?? [];
  if (known[0]?.kept) return { found: facetsOf(known, ({ count }) => count), listed, common, kept: true };
  const found = await countMatches(connection, pageSearch({ q, tag }, common) ?? search);
  asked?.note(search.all, countSelected(found, NO_FILTERS));
  return { found, listed, common };
}

function facetsOf(known: readonly KeptFacet[], countOf: (facet: KeptFacet) => number): Facet[] {
  return known.flatMap((facet) => {
    const { listed: _listed, kept: _kept, common: _common, ...values } = facet;
    const count = countOf(facet);
    return count > 0 ? [{ ...values, count }] : [];
  });
}

/** Counts the matches of a search by filter values. All filter combinations can be derived from the result. */
export async function countByFilter(connection: Connection, q: Query): Promise<readonly Facet[]> {
  return (await countSearch(connection, q)).found;
}
