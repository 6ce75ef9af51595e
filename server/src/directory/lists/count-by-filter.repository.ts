import type { Connection } from '../../database/connect.ts';
import { PLANNED_ANEW } from '../../database/statement-names.ts';
import type { Facet } from './count-by-filter.ts';

/** How all listings spread, from the kept totals: the cost is the same for ten listings and ten million. */
export function readTotals(connection: Connection): Promise<Facet[]> {
  return connection.query<Facet>(
    `SELECT type, verified, tier, category, sum(difference)::bigint AS count FROM listing_total
     GROUP BY 1, 2, 3, 4 HAVING sum(difference) > 0`,
  );
}

/** How many listings there are, exactly, from the same. */
export async function readTotal(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ total: number }>(
    'SELECT coalesce(sum(difference), 0)::bigint AS total FROM listing_total',
  );
  return row?.total ?? 0;
}

/** How the matches of a search spread, from the narrow rows of its words. How many match decides the plan. */
export function countMatches(connection: Connection, search: string): Promise<Facet[]> {
  return connection.query<Facet>(
    `${PLANNED_ANEW} SELECT type, verified, tier, category, count(*) AS count FROM listing_words
     WHERE words @@ $1::tsquery GROUP BY 1, 2, 3, 4`,
    [search],
  );
}
