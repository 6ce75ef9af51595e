import { setImmediate } from 'node:timers/promises';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { CATEGORIES } from './listing-row.ts';
import { type VocabularyWord, type VocabularyWords, vocabularyOf } from './listing-words.ts';
import { stemOf } from './search-words.ts';

/**
 * Adds new words to the vocabulary. The table has no unique constraint, so that transactions do not wait for each
 * other; duplicates are harmless, and `recountVocabulary` merges them.
 */
const SAVE_VOCABULARY = `INSERT INTO search_word (word, stem, listings, named)
  SELECT asked.word, asked.stem, 1, asked.named::int FROM unnest($1::text[], $2::text[], $3::boolean[]) AS asked (word, stem, named)
  WHERE NOT EXISTS (SELECT FROM search_word w WHERE w.word = asked.word COLLATE "C" AND w.stem = asked.stem
    AND w.listings > 0 AND w.named >= asked.named::int)`;

/**
 * Stores the words of an import in the vocabulary. Most words of a batch also occur in earlier batches, so they are
 * neither sent nor looked up again (`refresh-vocabulary.long.test.ts`). Stores them in a second session while the batch is
 * stored: if the batch waited for its words, an import of rows would take 3 % longer. If the batch then fails, the next
 * recount removes the words that no listing has. If a recount has removed a word since, the next recount adds the word
 * again.
 */
export class ImportedWords {
  readonly #inTransaction: InTransaction;
  readonly #stored = new Set<string>();
  /** Words that are stored with `named`. */
  readonly #named = new Set<string>();
  #saving: Promise<void> = Promise.resolve();

  /** `inTransaction` runs a function in a transaction of another session than that of the batch. */
  constructor(inTransaction: InTransaction) {
    this.#inTransaction = inTransaction;
  }

  /**
   * Lets `saveVocabulary` use this object in the open transaction. Call `saved` before the transaction commits. After a
   * failure, all words are stored again.
   */
  begin({ transaction }: Connection): void {
    this.#saving = this.#saving.catch(() => {
      this.#stored.clear();
      this.#named.clear();
    });
    if (transaction !== null) IMPORTED_WORDS.set(transaction, this);
  }

  /** Starts to store the words that are not stored yet. */
  save(listings: readonly VocabularyWords[]): void {
    this.#saving = this.#saving.then(() => this.#save(listings));
    // Prevents an unhandled rejection; `saved` reports the error.
    this.#saving.catch(() => undefined);
  }

  async #save(listings: readonly VocabularyWords[]): Promise<void> {
    // Lets the caller send its next statement first, so that PostgreSQL works while this process selects the words.
    await setImmediate();
    // A word that a name or tag has need not be stored again for a description.
    const missing = vocabularyOf(listings).filter(
      ({ word, named }) => !(named ? this.#named : this.#stored).has(word),
    );
    for (const { word, named } of missing) {
      this.#stored.add(word);
      if (named) this.#named.add(word);
    }
    if (missing.length > 0) await this.#inTransaction((connection) => insertWords(connection, missing));
  }

  /** Waits until the words are stored; throws if that failed. */
  saved(): Promise<void> {
    return this.#saving;
  }
}

type InTransaction = (work: (connection: Connection) => Promise<void>) => Promise<void>;

const IMPORTED_WORDS = new WeakMap<object, ImportedWords>();

/** Adds the words of listings to the vocabulary, in which a search looks up how common its words are. */
export async function saveVocabulary(
  connection: Connection,
  listings: readonly VocabularyWords[],
): Promise<void> {
  const imported = connection.transaction && IMPORTED_WORDS.get(connection.transaction);
  if (imported) imported.save(listings);
  else await insertWords(connection, vocabularyOf(listings));
}

async function insertWords(connection: Connection, vocabulary: readonly VocabularyWord[]): Promise<void> {
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

/**
 * Counts how many listings have each word, and stores the counts in a temporary table. The counts are then applied in
 * batches, because an SQL statement may take only a few seconds.
 */
const COUNT = `CREATE TEMP TABLE word_count ON COMMIT DROP AS
  SELECT word COLLATE "C" AS word, greatest(1, ndoc * 100 / $PERCENT)::int AS listings FROM ts_stat('SELECT words FROM listing_words $SAMPLE')`;

/**
 * Corrects the number of listings that have a word in their tags or category: listings that have the word as their
 * category are subtracted. Every listing has a category, so a category says less than a tag. Otherwise,
 * "infrastructure" would weigh more than "terraform".
 */
const SUBTRACT_CATEGORIES = `UPDATE word_count w SET listings = greatest(0, w.listings - c.listings)
  FROM unnest($1::text[], $2::text[]) AS asked (category, word)
  JOIN (SELECT category, sum(difference)::int AS listings FROM listing_total GROUP BY category) AS c ON c.category = asked.category
  WHERE w.word = '+' || asked.word`;

/**
 * Updates only counts that have changed by more than a tenth, so that a recount writes few rows. A word that no listing
 * has any more gets the count 0, and is removed only by the next recount, because an uncommitted transaction may be
 * adding a listing with this word.
 */
const UPDATE_COUNTS = `WITH batch AS MATERIALIZED (
    SELECT ctid AS place, word, stem FROM search_word WHERE word > $1 ORDER BY word LIMIT $2),
  uncounted AS MATERIALIZED (
    SELECT b.place, b.word FROM batch b WHERE NOT EXISTS (SELECT FROM word_count f WHERE f.word = b.word)),
  counted AS (
    SELECT b.place, f.listings, least(f.listings, coalesce((SELECT sum(n.listings)::int FROM word_count n
        WHERE n.word IN ('=' || b.stem, '+' || b.stem, '=' || b.word, '+' || b.word)), 0)) AS named
    FROM batch b JOIN word_count f ON f.word = b.word
    UNION ALL
    SELECT u.place, 0, 0 FROM uncounted u
    WHERE NOT EXISTS (SELECT FROM listing_words l WHERE l.words @@ quote_literal(u.word)::tsquery OFFSET 0)),
  removed AS (
    DELETE FROM search_word w USING counted c WHERE c.place = w.ctid AND c.listings = 0 AND w.listings = 0 RETURNING 1),
  changed AS (
    UPDATE search_word w SET listings = c.listings, named = c.named FROM counted c
    WHERE c.place = w.ctid AND (abs(c.listings - w.listings) > w.listings / 10 OR abs(c.named - w.named) > w.named / 10)
    RETURNING 1)
  SELECT max(word) AS last, (SELECT count(*) FROM changed)::int + (SELECT count(*) FROM removed)::int AS changed FROM batch`;

/**
 * Deletes duplicate rows of a word. Prefers to keep a row whose stem differs from the word, because an earlier
 * migration stored the whole word as the stem.
 */
const MERGE = `DELETE FROM search_word a USING search_word b WHERE a.word = b.word
  AND (a.stem <> a.word, a.named, a.ctid) < (b.stem <> b.word, b.named, b.ctid)`;

/** Selects words of listings that are not in the vocabulary. */
const MISSING = `SELECT f.word FROM word_count f WHERE f.word !~ '^[=^~+%#]'
  AND NOT EXISTS (SELECT FROM search_word w WHERE w.word = f.word)`;

/** Number of listings above which only a sample is counted. */
const MAX_COUNTED = 20_000;
const BATCH_SIZE = 5_000;

/** Id of the advisory lock for recounting the vocabulary. */
const LOCK = 7_202_700;

/**
 * Recounts the vocabulary from the words of all listings, or of a sample if there are many. Does nothing while another
 * process recounts. Adds missing words. Removes words that no listing had at this recount and the one before. Returns
 * the number of words whose counts changed or that were removed.
 */
export function recountVocabulary(database: Database): Promise<number> {
  return inTransaction(database, async (connection) => {
    const [lock] = await connection.query<{ taken: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${LOCK}) AS taken`,
    );
    if (!lock?.taken) return 0;
    await connection.query(MERGE);
    const percent = Math.min(100, (100 * MAX_COUNTED) / Math.max(1, await countListings(connection)));
    const sample = percent === 100 ? '' : `TABLESAMPLE SYSTEM (${percent})`;
    await connection.query(COUNT.replace('$PERCENT', String(percent)).replace('$SAMPLE', sample));
    await connection.query('CREATE INDEX ON word_count (word)');
    await connection.query('ANALYZE word_count');
    await connection.query(SUBTRACT_CATEGORIES, [CATEGORIES, CATEGORIES.map(stemOf)]);
    // A word is missing if an import took it for stored, and an earlier recount had removed it.
    const missing = await connection.query<{ word: string }>(MISSING);
    await saveVocabulary(connection, [{ words: missing.map(({ word }) => word) }]);
    // Makes UPDATE_COUNTS look up each uncounted word in the word index. The planner has no statistics about such
    // words, and might otherwise read all listings for each of them.
    await connection.query('SET LOCAL enable_seqscan = off');
    let [changed, last]: [number, string | null] = [0, ''];
    while (last !== null) {
      const [row]: { last: string | null; changed: number }[] = await connection.query<{
        last: string | null;
        changed: number;
      }>(UPDATE_COUNTS, [last, BATCH_SIZE]);
      changed += row?.changed ?? 0;
      last = row?.last ?? null;
    }
    return changed;
  });
}

/** Share by which the number of listings must have changed for a recount within an hour of the last one. */
const MIN_CHANGE = 0.02;
const RECOUNT_AFTER_MS = 3_600_000;

/**
 * Creates a job that recounts the vocabulary if the number of listings has changed by more than 2 % since the last
 * recount, or if that was an hour ago.
 */
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
