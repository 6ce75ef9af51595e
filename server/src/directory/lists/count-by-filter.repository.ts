import type { Connection } from '../../database/connect.ts';
import { PLANNED_ANEW } from '../../database/statement-names.ts';
import type { Facet } from './count-by-filter.ts';
import { Values } from './list-agents-stretches.sql.ts';
import { conditions, found } from './list-conditions.sql.ts';
import type { Condition, PageSearch } from './list-query.ts';

/** What listings are counted by. */
const BY = 'type, verified, tier, category, kind, license';

/** How all listings spread, from the kept totals: the cost is the same for ten listings and ten million. */
export function readTotals(connection: Connection): Promise<Facet[]> {
  return connection.query<Facet>(
    `SELECT ${BY}, sum(difference)::bigint AS count FROM listing_total
     GROUP BY ${BY} HAVING sum(difference) > 0`,
  );
}

/** How many listings there are, exactly, from the same. */
export async function readTotal(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ total: number }>(
    'SELECT coalesce(sum(difference), 0)::bigint AS total FROM listing_total',
  );
  return row?.total ?? 0;
}

/** One row per kind of listing: how many match a search by its kept total, and how many there are. */
export interface KeptFacet extends Facet {
  listed: number;
  /** Whether a total is kept of the search; the same in every row. */
  kept: boolean;
  /** Those of the asked conditions for which something is enough that a total is kept of: many listings meet them. The same in every row. */
  common: string[];
}

/**
 * What is known of a search without counting: its kept total with what changed since then, the totals of all listings, and
 * which of its conditions are common.
 */
export function readKeptTotal(
  connection: Connection,
  search: string,
  asked: readonly Condition[] = [],
): Promise<KeptFacet[]> {
  return connection.query<KeptFacet>(
    `WITH kept AS MATERIALIZED (
       SELECT ${BY}, count FROM search_total
       WHERE search = $1 AND NOT EXISTS (SELECT FROM search_change WHERE words IS NULL))
     SELECT ${BY}, sum(count)::bigint AS count, sum(listed)::bigint AS listed,
       EXISTS (SELECT FROM kept) AS kept,
       ARRAY(SELECT DISTINCT condition FROM unnest($2::text[], $3::text[]) AS asked (condition, enough)
         WHERE EXISTS (SELECT FROM search_total WHERE search = enough::tsquery)) AS common
     FROM (
       SELECT *, 0 AS listed FROM kept
       UNION ALL SELECT ${BY}, difference, 0 FROM search_change
         WHERE words @@ $1 AND EXISTS (SELECT FROM kept)
       UNION ALL SELECT ${BY}, 0, difference FROM listing_total
     ) AS known GROUP BY ${BY}`,
    [search, asked.map(({ condition }) => condition), asked.map(({ enough }) => enough)],
  );
}

/** How the matches of a search spread, from the narrow rows of its words. How many match decides the plan. */
export function countMatches(connection: Connection, search: PageSearch): Promise<Facet[]> {
  const values = new Values();
  return connection.query<Facet>(
    `${PLANNED_ANEW} SELECT ${BY}, count(*) AS count FROM listing_words
     ${conditions(found(search, values))} GROUP BY ${BY}`,
    values.list,
  );
}
