import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { vocabularyOf } from './listing-words.ts';

/**
 * Adds new words to the vocabulary. The table has no unique constraint, so that transactions do not wait for each other;
 * duplicates are harmless, and `recountVocabulary` merges them.
 */
const SAVE_VOCABULARY = `INSERT INTO search_word (word, stem, listings, named)
  SELECT asked.word, asked.stem, 1, asked.named::int FROM unnest($1::text[], $2::text[], $3::boolean[]) AS asked (word, stem, named)
  LEFT JOIN (SELECT word, stem, max(named) AS named FROM search_word WHERE word = ANY ($1::text[]) GROUP BY 1, 2) AS known
    ON known.word = asked.word COLLATE "C" AND known.stem = asked.stem COLLATE "C"
  WHERE known.word IS NULL OR known.named < asked.named::int`;

/** Adds the words of listings to the vocabulary, in which a search looks up how common its words are. */
export async function saveVocabulary(
  connection: Connection,
  listings: readonly { words: readonly string[] }[],
): Promise<void> {
  const vocabulary = vocabularyOf(listings.flatMap(({ words }) => words));
  if (vocabulary.length === 0) return;
  await connection.query(SAVE_VOCABULARY, [
    vocabulary.map(({ word }) => word),
    vocabulary.map(({ stem }) => stem),
    vocabulary.map(({ named }) => named),
  ]);
}

/** Returns the number of listings in the directory. */
export async function countListings(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ total: number }>(
    'SELECT coalesce(sum(difference), 0)::bigint AS total FROM listing_total',
  );
  return row?.total ?? 0;
}

/** Updates only counts that have changed by more than a tenth, so that a recount writes few rows. */
const RECOUNT = `WITH found AS MATERIALIZED (
    SELECT word, (ndoc * $1::float8)::int AS ndoc FROM ts_stat($2)),
  counted AS MATERIALIZED (
    SELECT f.word, greatest(1, f.ndoc) AS listings,
      least(greatest(1, f.ndoc), coalesce(n.ndoc, 0) + coalesce(t.ndoc, 0)) AS named
    FROM found f LEFT JOIN found n ON n.word = '=' || f.word LEFT JOIN found t ON t.word = '+' || f.word
    WHERE f.word !~ '^[=^~+%#]')
  UPDATE search_word w SET listings = c.listings, named = c.named FROM counted c
  WHERE c.word = w.word AND (abs(c.listings - w.listings) > w.listings / 10 OR abs(c.named - w.named) > w.named / 10)`;

/** Prefers rows with a stem of their own: a migration stored the whole words as stems. */
const MERGE = `DELETE FROM search_word a USING search_word b WHERE a.word = b.word
  AND (a.stem <> a.word, a.named, a.ctid) < (b.stem <> b.word, b.named, b.ctid)`;

/** Number of listings above which only a sample is counted. */
const MAX_COUNTED = 100_000;

/** Advisory lock for recounting. */
const LOCK = 7_202_700;

/**
 * Recounts the vocabulary from the words of all listings, or of a sample if there are many. Does nothing while another
 * process recounts. Returns the number of words whose counts changed.
 */
export function recountVocabulary(database: Database): Promise<number> {
  return inTransaction(database, async (connection) => {
    const [lock] = await connection.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${LOCK}) AS taken`,
    );
    if (!lock?.taken) return 0;
    const percent = Math.min(100, (100 * MAX_COUNTED) / Math.max(1, await countListings(connection)));
    const sample = percent === 100 ? '' : ` TABLESAMPLE SYSTEM (${percent})`;
    await connection.query(MERGE);
    const changed = await connection.query(`${RECOUNT} RETURNING w.word`, [
      100 / percent,
      `SELECT words FROM listing_words${sample}`,
    ]);
    return changed.length;
  });
}

/** Share of listings that must have been added or removed since the last recount. */
const MIN_CHANGE = 0.02;
const RECOUNT_AFTER_MS = 3_600_000;

/** Creates a job that recounts the vocabulary: after many listings have been added or removed, and every hour. */
export function createRecountJob(database: Database): () => Promise<number> {
  let counted = 0;
  let countedAt = Number.NEGATIVE_INFINITY;
  return async () => {
    const total = await countListings(database);
    const isRecent = performance.now() - countedAt < RECOUNT_AFTER_MS;
    if (isRecent && Math.abs(total - counted) <= counted * MIN_CHANGE) return 0;
    const changed = await recountVocabulary(database);
    [counted, countedAt] = [total, performance.now()];
    return changed;
  };
}
