import type { Connection } from '../database/connect.ts';
import { PLANNED_ANEW } from '../database/statement-names.ts';
import { searchQuery } from '../registry/listings/search-words.ts';
import type { TotalFilters } from '../registry/listings/totals.ts';

/** How many listings share these four values. */
export interface Facet {
  type: 'agent' | 'skill';
  verified: boolean;
  tier: 'high' | 'medium' | 'low';
  category: string;
  count: number;
}

/** How many listings a choice of filters leaves, given how they spread; a filter that is null leaves all. */
export function countChosen(facets: readonly Facet[], choice: TotalFilters): number {
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
  if (q === null) {
    return connection.query<Facet>(
      `SELECT type, verified, tier, category, sum(difference)::bigint AS count FROM listing_total
       GROUP BY 1, 2, 3, 4 HAVING sum(difference) > 0`,
    );
  }
  const search = searchQuery(q);
  if (search === null) return [];
  return connection.query<Facet>(
    `${PLANNED_ANEW} SELECT type, verified, tier, category, count(*) AS count FROM listing_words
     WHERE words @@ $1::tsquery GROUP BY 1, 2, 3, 4`,
    [search],
  );
}
