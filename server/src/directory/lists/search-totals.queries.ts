import { FIELD_PREFIXES } from '../../catalog/listings/listing-words.ts';
import { stemOf } from '../../catalog/listings/search-words.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { MAX_CACHED_MATCHES } from './search-plan.ts';

/** Advisory lock for updating totals. */
const LOCK = 7_202_700;
/** Maximum changes that a read adds to a stored total; with more, counting again is cheaper. */
const MAX_CHANGES = 2_000;
/** Maximum pieces in which match ids of one search are stored; with more, reading them is no faster than searching. */
const MAX_PIECES = 100;
const FACET_COLUMNS = 'type, verified, tier, category, kind, license';
const STATE = `state AS MATERIALIZED (
  SELECT coalesce(bool_or(words IS NULL), false) OR count(*) > ${MAX_CHANGES} AS is_void FROM search_change)`;

/** Takes the lock for updating totals. Call it first, so that later reads see the previous holder's changes. */
export async function lockTotals(connection: Connection): Promise<void> {
  await connection.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
}

/** Deletes all totals if too many listings changed since they were computed. Returns the number of rows deleted. */
export async function dropVoidTotals(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ rows: number }>(
    `WITH ${STATE},
     changes AS (DELETE FROM search_change WHERE (SELECT is_void FROM state) RETURNING 1),
     matches AS (DELETE FROM search_match WHERE (SELECT is_void FROM state)),
     totals AS (DELETE FROM search_total WHERE (SELECT is_void FROM state) RETURNING 1)
     SELECT ((SELECT count(*) FROM totals) + (SELECT count(*) FROM changes))::int AS rows`,
  );
  return row?.rows ?? 0;
}

/**
 * Applies pending changes to all totals and stores the total of one more search (null: none). One statement, so that
 * all parts see the same snapshot. Does nothing if the totals are void.
 */
export async function keepTotal(
  connection: Connection,
  search: string | null,
  mostMatches = MAX_CACHED_MATCHES,
): Promise<void> {
  await connection.query(
    `WITH ${STATE},
     counted AS (DELETE FROM search_change WHERE NOT (SELECT is_void FROM state) RETURNING *),
     brought AS (
       INSERT INTO search_total AS t (search, ${FACET_COLUMNS}, count)
       SELECT k.search, c.type, c.verified, c.tier, c.category, c.kind, c.license, sum(c.difference)
       FROM counted c JOIN (SELECT DISTINCT search FROM search_total) k ON c.words @@ k.search
       GROUP BY 1, 2, 3, 4, 5, 6, 7
       ON CONFLICT (search, ${FACET_COLUMNS}) DO UPDATE SET count = t.count + excluded.count),
     totals AS (
       INSERT INTO search_total (search, ${FACET_COLUMNS}, count)
       SELECT $1::tsquery, ${FACET_COLUMNS}, count(*) FROM listing_words
       WHERE words @@ $1::tsquery AND NOT (SELECT is_void FROM state)
         AND NOT EXISTS (SELECT FROM search_total WHERE search = $1::tsquery)
       GROUP BY ${FACET_COLUMNS} RETURNING count)
     INSERT INTO search_match (search, agent_ids)
     SELECT $1::tsquery, ARRAY(SELECT agent_id FROM listing_words WHERE words @@ $1::tsquery)
     WHERE (SELECT sum(count) FROM totals) <= $2 AND NOT EXISTS (SELECT FROM search_match WHERE search = $1::tsquery)`,
    [search, mostMatches],
  );
}

/** Deletes the oldest totals beyond this number of searches. */
export async function dropOldTotals(connection: Connection, most: number): Promise<void> {
  await connection.query(
    `DELETE FROM search_total WHERE search IN
       (SELECT search FROM search_total GROUP BY search ORDER BY max(kept_at) DESC, search OFFSET $1)`,
    [most],
  );
  await connection.query('DELETE FROM search_match WHERE search NOT IN (SELECT search FROM search_total)');
}

/** Evicts searches with fragmented match lists; they are recounted. */
export async function dropScatteredMatches(connection: Connection): Promise<void> {
  await connection.query(
    `WITH scattered AS (SELECT search FROM search_match GROUP BY search HAVING count(*) > $1),
     matches AS (DELETE FROM search_match WHERE search IN (SELECT search FROM scattered))
     DELETE FROM search_total WHERE search IN (SELECT search FROM scattered)`,
    [MAX_PIECES],
  );
}

/** A common tag or search word, and the share of listings that have it. */
interface Common {
  word: string;
  stem: string;
  share: number;
}

/** Returns the most common words and tags, from PostgreSQL's statistics. */
async function readCommon(connection: Connection): Promise<Common[]> {
  const rows = await connection.query<Omit<Common, 'stem'>>(
    `SELECT DISTINCT word, share FROM pg_stats
     CROSS JOIN LATERAL unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common (word, share)
     WHERE schemaname = current_schema() AND tablename = 'listing_words' AND attname = 'words' AND word IS NOT NULL
       AND word NOT LIKE '#k:%' AND word NOT LIKE '#l:%' AND strpos($1, left(word, 1)) = 0`,
    [FIELD_PREFIXES],
  );
  return rows.map((row) => ({ ...row, stem: stemOf(row.word) }));
}

/**
 * Returns common searches without a stored total, most common first: for common tags, common words, and their first one
 * or two letters. Skips those with fewer than `leastFound` matches.
 */
export async function findCommonSearches(
  connection: Connection,
  { leastFound, commonest, most }: { leastFound: number; commonest: number; most: number },
): Promise<string[]> {
  const common = await readCommon(connection);
  const rows = await connection.query<{ search: string }>(
    `SELECT search FROM (
       SELECT search, sum(share) AS share FROM (
         SELECT DISTINCT word, share, CASE WHEN word LIKE '#%' THEN array_to_tsvector(ARRAY[word])::text
           ELSE format('''%s'':*', start) END AS search
         FROM unnest($4::text[], $5::text[], $6::float4[]) AS common (word, stem, share)
         CROSS JOIN LATERAL (VALUES (left(word, 1)), (left(word, 2)), (stem)) AS cut (start)
       ) AS starts GROUP BY search ORDER BY share DESC, search LIMIT $2) AS common
     WHERE share * (SELECT sum(difference) FROM listing_total) >= $1
       AND NOT EXISTS (SELECT FROM search_total t WHERE t.search = common.search::tsquery)
     ORDER BY share DESC, search LIMIT $3`,
    [
      leastFound,
      commonest,
      most,
      common.map(({ word }) => word),
      common.map(({ stem }) => stem),
      common.map(({ share }) => share),
    ],
  );
  return rows.map(({ search }) => search);
}
