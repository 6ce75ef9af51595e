import type { Connection } from '../../src/platform/database/connect.ts';

/** Returns the searches with stored matches. */
export async function storedSearches(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ search: string }>(
    'SELECT DISTINCT search::text FROM search_match ORDER BY 1',
  );
  return rows.map(({ search }) => search);
}

/** Returns the matches that a search's stored matches lack; undefined if none are stored. */
export async function missingMatches(connection: Connection, search: string): Promise<string[] | undefined> {
  const [row] = await connection.query<{ missed: string[] }>(
    `SELECT ARRAY(SELECT agent_id FROM listing_words WHERE words @@ $1::tsquery
       EXCEPT SELECT unnest(agent_ids) FROM search_match WHERE search = $1::tsquery
       EXCEPT SELECT agent_id FROM search_change WHERE difference = 1 AND words @@ $1::tsquery) AS missed
     WHERE EXISTS (SELECT FROM search_match WHERE search = $1::tsquery)
       AND NOT EXISTS (SELECT FROM search_change WHERE words IS NULL)`,
    [search],
  );
  return row?.missed;
}
