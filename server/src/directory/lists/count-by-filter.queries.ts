import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';
import type { Facet } from './count-by-filter.ts';
import type { ValueCount } from './count-values.ts';
import { COUNTED_FILTERS, type FilterSelection } from './filters.ts';
import { BindParameters } from './key-ranges.sql.ts';
import { filterConditions, indexConditions, totalConditions, whereClause } from './list-conditions.sql.ts';
import type { Condition, PageSearch } from './list-query.ts';

/** Columns that listings are counted by. */
const FACET_COLUMNS = COUNTED_FILTERS.join(', ');

/** Counts all listings by filter values, from stored totals. The cost does not depend on the number of listings. */
export function readTotals(connection: Connection): Promise<Facet[]> {
  return connection.query<Facet>(
    `SELECT ${FACET_COLUMNS}, sum(difference)::bigint AS count FROM listing_total
     GROUP BY ${FACET_COLUMNS} HAVING sum(difference) > 0`,
  );
}

/** Returns the exact number of listings, from stored totals. */
export async function readTotal(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ total: number }>(
    'SELECT coalesce(sum(difference), 0)::bigint AS total FROM listing_total',
  );
  return row?.total ?? 0;
}

/**
 * Counts for one combination of filter values. `count` is the number of matches by the stored total, and `listed` the
 * number of all listings.
 */
export type KeptFacet = Facet & {
  listed: number;
  /** True if the search has a stored total; the same in every row. */
  kept: boolean;
  /**
   * The requested conditions that many listings meet. A condition counts as such if a total is stored for it or for a
   * narrower condition that implies it. The same in every row.
   */
  common: string[];
};

/**
 * Reads the stored total of a search, adds the changes since it was stored, and reads the totals of all listings and
 * which conditions of `asked` are common. Reads no listings.
 */
export function readKeptTotal(
  connection: Connection,
  search: string,
  asked: readonly Condition[] = [],
): Promise<KeptFacet[]> {
  return connection.query<KeptFacet>(
    `WITH kept AS MATERIALIZED (
       SELECT ${FACET_COLUMNS}, count FROM search_total
       WHERE search = $1 AND NOT EXISTS (SELECT FROM search_change WHERE words IS NULL))
     SELECT ${FACET_COLUMNS}, sum(count)::bigint AS count, sum(listed)::bigint AS listed,
       EXISTS (SELECT FROM kept) AS kept,
       ARRAY(SELECT DISTINCT condition FROM unnest($2::text[], $3::text[]) AS asked (condition, enough)
         WHERE EXISTS (SELECT FROM search_total WHERE search = enough::tsquery)) AS common
     FROM (
       SELECT *, 0 AS listed FROM kept
       UNION ALL SELECT ${FACET_COLUMNS}, difference, 0 FROM search_change
         WHERE words @@ $1 AND EXISTS (SELECT FROM kept)
       UNION ALL SELECT ${FACET_COLUMNS}, 0, difference FROM listing_total
     ) AS known GROUP BY ${FACET_COLUMNS}`,
    [search, asked.map(({ condition }) => condition), asked.map(({ enough }) => enough)],
  );
}

/**
 * Counts the matches of a search by filter values. The number of matches decides the plan, so the statement is planned
 * anew.
 */
export function countMatches(connection: Connection, search: PageSearch): Promise<Facet[]> {
  const values = new BindParameters();
  return connection.query<Facet>(
    `${FRESH_PLAN} SELECT ${FACET_COLUMNS}, count(*) AS count FROM listing_words
     ${whereClause(indexConditions(search, values))} GROUP BY ${FACET_COLUMNS}`,
    values.list,
  );
}

/** Counts the most common tags of the matches by reading each match. A null search matches everything. */
export function readTags(
  connection: Connection,
  search: string | null,
  selection: FilterSelection,
  most: number,
): Promise<ValueCount[]> {
  const values = new BindParameters();
  const conditions = filterConditions(selection, values);
  if (search !== null) {
    const match = `SELECT subject_id FROM listing_words WHERE words @@ ${values.add(search)}::tsquery`;
    conditions.push(`subject_id IN (${match})`);
  }
  return connection.query<ValueCount>(
    `${FRESH_PLAN} SELECT lower(tag COLLATE "C") AS value, count(DISTINCT subject_id)::int AS count
     FROM listing_order CROSS JOIN LATERAL unnest(tags) AS tag WHERE ${['true', ...conditions].join(' AND ')}
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${values.add(most)}`,
    values.list,
  );
}

/** Returns the most common tags of all listings, from PostgreSQL's statistics. */
export async function readCommonTags(connection: Connection, most: number): Promise<string[]> {
  const rows = await connection.query<{ tag: string }>(
    `SELECT substr(word, 4) AS tag FROM pg_stats
     CROSS JOIN LATERAL unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common (word, share)
     WHERE schemaname = current_schema() AND tablename = 'listing_words' AND attname = 'words' AND word LIKE '#t:%'
     ORDER BY share DESC, word LIMIT $1`,
    [most],
  );
  return rows.map(({ tag }) => tag);
}

/**
 * Returns how many matches of each search pass the filters, in order, from stored totals. Null for a search without a
 * stored total.
 */
export async function readKeptCounts(
  connection: Connection,
  searches: readonly string[],
  selection: FilterSelection,
): Promise<(number | null)[]> {
  const values = new BindParameters();
  const asked = values.add(searches);
  const conditions = ['true', ...totalConditions(selection, values)].join(' AND ');
  const rows = await connection.query<{ count: number | null }>(
    `SELECT CASE WHEN kept AND EXISTS (SELECT FROM search_total t WHERE t.search = asked.search) THEN (
         coalesce((SELECT sum(count) FROM search_total t WHERE t.search = asked.search AND ${conditions}), 0)
         + coalesce((SELECT sum(difference) FROM search_change c WHERE c.words @@ asked.search AND ${conditions}), 0))::int
       END AS count
     FROM (SELECT search::tsquery, place FROM unnest(${asked}::text[]) WITH ORDINALITY AS each (search, place)) AS asked,
       (SELECT NOT EXISTS (SELECT FROM search_change WHERE words IS NULL) AS kept) AS state
     ORDER BY place`,
    values.list,
  );
  return rows.map(({ count }) => count);
}
