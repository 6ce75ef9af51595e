import type { Connection } from '../../platform/database/connect.ts';
import type { Match } from '../search/match-conditions.sql.ts';
import { countMatches, readTotals } from './count-by-filter.queries.ts';
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

/** Matches of a search by filter values. */
export interface Counts {
  found: readonly Facet[];
  /** True if more listings match than were counted. */
  isLowerBound: boolean;
}

/** Maximum matches of a search text that are counted (`many-matches.db.test.ts`). */
export const MAX_COUNTED = 10_000;

/**
 * Counts the matches of a search (null: all listings) that pass the filters. Counts all without a search text, and at
 * most 10,000 with one.
 */
export async function countSearch(
  connection: Connection,
  match: Match | null,
  selection: FilterSelection = NO_FILTERS,
): Promise<Counts> {
  if (match === null) return { found: await readTotals(connection), isLowerBound: false };
  const found = await countMatches(connection, match, selection, match.hasText ? MAX_COUNTED + 1 : null);
  const isLowerBound = match.hasText && countSelected(found, NO_FILTERS) > MAX_COUNTED;
  return { found, isLowerBound };
}
