import { lowerAscii } from '../../catalog/listings/filter-terms.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AskedSearches } from './asked-searches.ts';
import { countMatches, type KeptFacet, readKeptTotal, readTotals } from './count-by-filter.queries.ts';
import { conditionsOf, pageSearch, type Query } from './list-query.ts';

/** Number of listings with these filter values. */
export interface Facet {
  type: 'agent' | 'skill';
  verified: boolean;
  tier: 'high' | 'medium' | 'low';
  category: string;
  kind: string;
  /** Licence as spelled by the source; empty if unknown. */
  license: string;
  count: number;
}

/** Selected filter values. Null means no filter. */
export interface FilterSelection {
  type?: string | null;
  verified: boolean | null;
  tier: string | null;
  category: string | null;
  kind?: string | null;
  /** Licence in any case. */
  license?: string | null;
}

/** Filter selection that matches everything. */
export const NO_FILTERS: FilterSelection = { type: null, verified: null, tier: null, category: null };

/** Returns the number of listings that pass the filters. */
export function countSelected(facets: readonly Facet[], selection: FilterSelection): number {
  return selectFacets(facets, selection).reduce((sum, { count }) => sum + count, 0);
}

/** Returns the facets that pass the filters. */
export function selectFacets(facets: readonly Facet[], selection: FilterSelection): readonly Facet[] {
  const { type, verified, tier, category, kind } = selection;
  const license = lowerAscii(selection.license ?? '');
  return facets.filter(
    (facet) =>
      (type ?? facet.type) === facet.type &&
      (verified ?? facet.verified) === facet.verified &&
      (tier ?? facet.tier) === facet.tier &&
      (category ?? facet.category) === facet.category &&
      (kind ?? facet.kind) === facet.kind &&
      (license === '' || license === lowerAscii(facet.license)),
  );
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
