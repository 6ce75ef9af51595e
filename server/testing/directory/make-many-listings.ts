import { addListingCopies } from '../../src/catalog/listings/write-listings.ts';
import type { Connection } from '../../src/platform/database/connect.ts';

/**
 * Inserts many skills of one listing's creator, as an import does. `words`, `category` and `trust` (null: none) are SQL
 * expressions over `n`, the number of each skill from 1.
 */
export async function makeManyListings(
  connection: Connection,
  likeId: string,
  count: number,
  {
    words = "''",
    category = "'data'",
    trust = 'NULL',
  }: { words?: string; category?: string; trust?: string } = {},
): Promise<void> {
  const listed = await connection.query<{ subject_id: string; words: string[] }>(
    `WITH made AS (INSERT INTO subject (id, type, name) SELECT gen_random_uuid(), 'skill', 'x'
       FROM generate_series(1, $2::int) RETURNING id),
     numbered AS (SELECT id, row_number() OVER () AS n FROM made),
     listed AS (INSERT INTO listing (subject_id, registry_row_id, agent_id, type, kind, name, category, creator_id, host,
         repository, repository_url, source)
       SELECT id, gen_random_uuid(), 'AGT-8' || lpad(n::text, 7, '0'), 'skill', 'skill', 'x' || lpad(n::text, 7, '0'),
         ${category}, l.creator_id, 'github.com', 'many/' || id, 'https://github.com', 'test'
       FROM numbered, listing l WHERE l.subject_id = $1 RETURNING subject_id)
     SELECT subject_id, tsvector_to_array((${words})::tsvector) AS words FROM listed JOIN numbered ON id = subject_id`,
    [likeId, count],
  );
  await addListingCopies(connection, listed);
  await connection.query(
    `UPDATE listing_rank SET trust = made.trust, confidence = 10, score_version = now()
     FROM (SELECT subject_id, (${trust})::float8 AS trust FROM listing_rank CROSS JOIN LATERAL
       (SELECT CASE WHEN agent_id ~ '^AGT-8[0-9]{7}$' THEN right(agent_id, 7)::int END AS n) AS numbered) AS made
     WHERE made.subject_id = listing_rank.subject_id AND made.trust IS NOT NULL`,
  );
}
