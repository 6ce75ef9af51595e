import type { Connection } from '../../database/connect.ts';
import { lowerAscii } from '../../registry/listings/search-marks.ts';
import type { AskedSearches } from './asked-searches.ts';
import { countMatches, type KeptFacet, readKeptTotal, readTotals } from './count-by-filter.repository.ts';
import { conditionsOf, pageSearch, type Query } from './list-query.ts';

/** How many listings share these values. */
export interface Facet {
  type: 'agent' | 'skill';
  verified: boolean;
  tier: 'high' | 'medium' | 'low';
  category: string;
  kind: string;
  /** As it is spelt; empty where it is not known. */
  license: string;
  count: number;
}

/** What lists can be filtered by; null leaves all. */
export interface Choice {
  type?: string | null;
  verified: boolean | null;
  tier: string | null;
  category: string | null;
  kind?: string | null;
  /** In upper or lower case. */
  license?: string | null;
}

/** The choice that leaves all. */
export const ALL: Choice = { type: null, verified: null, tier: null, category: null };

/** How many listings a choice of filters leaves, given how they spread; a filter that is null leaves all. */
export function countChosen(facets: readonly Facet[], choice: Choice): number {
  return chooseFacets(facets, choice).reduce((sum, { count }) => sum + count, 0);
}

/** Those of them that a choice of filters leaves. */
export function chooseFacets(facets: readonly Facet[], choice: Choice): readonly Facet[] {
  const { type, verified, tier, category, kind } = choice;
  const license = lowerAscii(choice.license ?? '');
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

/** How the listings that match a search spread, and how all listings do. */
export interface Counts {
  found: readonly Facet[];
  listed: readonly Facet[];
  /** Conditions of the search that many listings meet. */
  common?: readonly string[];
  /** Whether they were kept, and so perhaps which listings match. */
  kept?: boolean;
}

/**
 * The counts of a search and a tag (null: of all listings). Without either, and for a common search, they are read from kept
 * totals, whatever the size of the directory; for others from the narrow rows of what matches, of which `asked` is told.
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
  // A search text without any word matches nothing, whereas no search text matches everything.
  if (search === null) return { found: [], listed: [] };
  const known = await readKeptTotal(connection, search.all, conditionsOf(q));
  const listed = facetsOf(known, ({ listed }) => listed);
  const common = known[0]?.common ?? [];
  if (known[0]?.kept) return { found: facetsOf(known, ({ count }) => count), listed, common, kept: true };
  const found = await countMatches(connection, pageSearch({ q, tag }, common) ?? search);
  asked?.note(search.all, countChosen(found, ALL));
  return { found, listed, common };
}

function facetsOf(known: readonly KeptFacet[], countOf: (facet: KeptFacet) => number): Facet[] {
  return known.flatMap((facet) => {
    const { listed: _listed, kept: _kept, common: _common, ...values } = facet;
    const count = countOf(facet);
    return count > 0 ? [{ ...values, count }] : [];
  });
}

/** How the listings that match a search spread over what lists can be filtered by: from it follow the counts of every choice. */
export async function countByFilter(connection: Connection, q: Query): Promise<readonly Facet[]> {
  return (await countSearch(connection, q)).found;
}
