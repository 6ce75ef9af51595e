import { POPULARITY } from '../src/catalog/listings/search-weights.ts';
import { updateListingCopies } from '../src/catalog/listings/write-listings.ts';
import type { Connection } from '../src/platform/database/connect.ts';

/** Compares the rows of `listing_rank`, `listing_order` and `listing_words` with the listings that they copy columns of. */
const COMPARED = `
  WITH derived AS (
    SELECT l.*, k.tier, ${POPULARITY} AS popularity FROM listing l LEFT JOIN listing_rank k USING (subject_id))
  SELECT coalesce(d.subject_id, k.subject_id, o.subject_id, w.subject_id) AS id,
    (k.agent_id, k.type, k.verified, k.category, k.kind)
      IS NOT DISTINCT FROM (d.agent_id, d.type, d.verified, d.category, d.kind) AS rank,
    (o.agent_id, o.type, o.verified, o.tier, o.category, o.kind, o.tags, o.stars, o.last_commit_at, o.listed_at)
      IS NOT DISTINCT FROM (d.agent_id, d.type, d.verified, d.tier, d.category, d.kind, d.tags, d.stars, d.last_commit_at,
        d.listed_at) AS "order",
    (w.agent_id, w.type, w.verified, w.tier, w.category, w.kind, w.license, w.sort_name, w.popularity)
      IS NOT DISTINCT FROM (d.agent_id, d.type, d.verified, d.tier, d.category, d.kind, coalesce(d.license, ''), lower(d.name),
        d.popularity)
      AND array_to_tsvector(listing_marks(d.kind, d.license, d.tags)) = (SELECT coalesce(array_to_tsvector(array_agg(lexeme)), '')
        FROM unnest(w.words) WHERE lexeme LIKE '#_:%') AS words
  FROM derived d FULL JOIN listing_rank k USING (subject_id) FULL JOIN listing_order o USING (subject_id)
    FULL JOIN listing_words w USING (subject_id)`;

/** Returns the listings with an outdated copy; each of `rank`, `order` and `words` is true if that copy is right. */
export async function findOutdatedCopies(connection: Connection): Promise<object[]> {
  // Planning the comparison takes longer than the rest, and most test databases have no listings.
  if ((await connection.query('SELECT 1 AS one FROM listing LIMIT 1')).length === 0) return [];
  return connection.query<object>(
    `SELECT * FROM (${COMPARED}) compared WHERE NOT (rank AND "order" AND words)`,
  );
}

/** Selects the combinations of filters for which the stored total is not the number of rows of `listing_words`. */
const WRONG_TOTALS = `SELECT type, verified, tier, category, kind, license, sum(difference)::int AS off FROM (
    SELECT type, verified, tier, category, kind, license, difference FROM listing_total
    UNION ALL SELECT type, verified, tier, category, kind, license, -1 FROM listing_words) each
  GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(difference) <> 0`;

/** Returns the combinations of filters whose total is wrong. */
export function findWrongTotals(connection: Connection): Promise<object[]> {
  return connection.query<object>(WRONG_TOTALS);
}

/** Sends a statement that writes listings or their ranking, and updates the copies as the server's writers do. */
export async function writeListings(
  connection: Connection,
  sql: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await connection.query(sql, values);
  const listed = await connection.query<{ id: string }>('SELECT subject_id AS id FROM listing');
  await updateListingCopies(
    connection,
    listed.map(({ id }) => id),
  );
}
