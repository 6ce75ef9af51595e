import type { Connection } from '../../database/connect.ts';
import { MARKS } from '../../registry/listings/listing-words.ts';
import { stemOf } from '../../registry/listings/word-stem.ts';
import { MOST_MATCHES } from './search-plan.ts';

/** Shared by all that keep totals, and by nothing else. */
const LOCK = 7_202_700;
/** Beyond so many changes it is less work to count anew than to add them up for everybody who asks. */
const MOST_CHANGES = 2_000;
/** Ids in more pieces than this are as slow to read as what they were kept for. */
const MOST_PIECES = 100;
const BY = 'type, verified, tier, category, kind, license';
const STATE = `state AS MATERIALIZED (
  SELECT coalesce(bool_or(words IS NULL), false) OR count(*) > ${MOST_CHANGES} AS is_void FROM search_change)`;

/** Waits until this transaction is the one that keeps totals. First of all, so that what it reads next is of after that. */
export async function lockTotals(connection: Connection): Promise<void> {
  await connection.query(`SELECT pg_advisory_xact_lock(${LOCK})`);
}

/** Forgets all totals where they hold no more; answers how many rows went. */
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
 * Brings all totals up to date and begins to keep that of one more search (null: of none). In one statement: what it counts
 * and finds, what it takes away as counted and what it leaves to be added are of one moment. Does nothing where totals hold no more.
 */
export async function keepTotal(
  connection: Connection,
  search: string | null,
  mostMatches = MOST_MATCHES,
): Promise<void> {
  await connection.query(
    `WITH ${STATE},
     counted AS (DELETE FROM search_change WHERE NOT (SELECT is_void FROM state) RETURNING *),
     brought AS (
       INSERT INTO search_total AS t (search, ${BY}, count)
       SELECT k.search, c.type, c.verified, c.tier, c.category, c.kind, c.license, sum(c.difference)
       FROM counted c JOIN (SELECT DISTINCT search FROM search_total) k ON c.words @@ k.search
       GROUP BY 1, 2, 3, 4, 5, 6, 7
       ON CONFLICT (search, ${BY}) DO UPDATE SET count = t.count + excluded.count),
     totals AS (
       INSERT INTO search_total (search, ${BY}, count)
       SELECT $1::tsquery, ${BY}, count(*) FROM listing_words
       WHERE words @@ $1::tsquery AND NOT (SELECT is_void FROM state)
         AND NOT EXISTS (SELECT FROM search_total WHERE search = $1::tsquery)
       GROUP BY ${BY} RETURNING count)
     INSERT INTO search_match (search, agent_ids)
     SELECT $1::tsquery, ARRAY(SELECT agent_id FROM listing_words WHERE words @@ $1::tsquery)
     WHERE (SELECT sum(count) FROM totals) <= $2 AND NOT EXISTS (SELECT FROM search_match WHERE search = $1::tsquery)`,
    [search, mostMatches],
  );
}

/** Lets go of the totals kept for longest, beyond so many searches. */
export async function dropOldTotals(connection: Connection, most: number): Promise<void> {
  await connection.query(
    `DELETE FROM search_total WHERE search IN
       (SELECT search FROM search_total GROUP BY search ORDER BY max(kept_at) DESC, search OFFSET $1)`,
    [most],
  );
  await connection.query('DELETE FROM search_match WHERE search NOT IN (SELECT search FROM search_total)');
}

/** Lets go of searches whose matches have come one after the other, to be counted anew. */
export async function dropScatteredMatches(connection: Connection): Promise<void> {
  await connection.query(
    `WITH scattered AS (SELECT search FROM search_match GROUP BY search HAVING count(*) > $1),
     matches AS (DELETE FROM search_match WHERE search IN (SELECT search FROM scattered))
     DELETE FROM search_total WHERE search IN (SELECT search FROM scattered)`,
    [MOST_PIECES],
  );
}

/** A tag, or a word as searches ask for it, and the part of all listings that have it. */
interface Common {
  word: string;
  stem: string;
  share: number;
}

/** The commonest words and tags, as the database's own statistics know them. */
async function readCommon(connection: Connection): Promise<Common[]> {
  const rows = await connection.query<Omit<Common, 'stem'>>(
    `SELECT DISTINCT word, share FROM pg_stats
     CROSS JOIN LATERAL unnest(most_common_elems::text::text[], most_common_elem_freqs) AS common (word, share)
     WHERE schemaname = current_schema() AND tablename = 'listing_words' AND attname = 'words' AND word IS NOT NULL
       AND word NOT LIKE '#k:%' AND word NOT LIKE '#l:%' AND strpos($1, left(word, 1)) = 0`,
    [MARKS],
  );
  return rows.map((row) => ({ ...row, stem: stemOf(row.word) }));
}

/**
 * Of the searches for the commonest tags, for the commonest words and for their first letter or two, those that have no total
 * yet: the commonest first, and none that finds fewer than `leastFound`.
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
