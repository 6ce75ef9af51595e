import type { Connection } from '../../database/connect.ts';
import { searchQuery } from '../../registry/listings/search-words.ts';
import { countMatches, readTotals } from './count-by-filter.repository.ts';

/** How many listings share these four values. */
export interface Facet {
  type: 'agent' | 'skill';
  verified: boolean;
  tier: 'high' | 'medium' | 'low';
  category: string;
  count: number;
}

/** What lists can be filtered by; null leaves all. */
export interface Choice {
  type?: string | null;
  verified: boolean | null;
  tier: string | null;
  category: string | null;
}

/** How many listings a choice of filters leaves, given how they spread; a filter that is null leaves all. */
export function countChosen(facets: readonly Facet[], choice: Choice): number {
  const { type, verified, tier, category } = choice;
  const isLeft = (facet: Facet) =>
    (type ?? facet.type) === facet.type &&
    (verified ?? facet.verified) === facet.verified &&
    (tier ?? facet.tier) === facet.tier &&
    (category ?? facet.category) === facet.category;
  return facets.filter(isLeft).reduce((sum, { count }) => sum + count, 0);
}

/**
 * How the listings that match a search (null: all of them) spread over what lists can be filtered by; from it follow the
 * exact counts of every choice of filters. Without a search it reads kept totals, whatever the size of the directory;
 * with one, the narrow rows of its matches.
 */
export async function countByFilter(connection: Connection, q: string | null): Promise<Facet[]> {
  if (q === null) return readTotals(connection);
  const search = searchQuery(q);
  if (search === null) return [];
  return countMatches(connection, search);
}
