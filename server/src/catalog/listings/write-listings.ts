import type { Connection, Database } from '../../platform/database/connect.ts';
import { copyRows, isWorthCopying } from '../../platform/database/copy-rows.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import { type ListingTexts, listingWords } from './listing-words.ts';
import { POPULARITY } from './search-weights.ts';
import { saveVocabulary } from './vocabulary.queries.ts';

/** Renames displaced listings. SQL derives the placeholder from the old name, which is stored there. */
const DISPLACE_LISTINGS = `UPDATE listing SET repository = repository || '~' || host_repository_id, host_owner_id = NULL,
  updated_at = ledger_now()
  WHERE subject_id = ANY ($1::uuid[])`;

/** Schedules an immediate check of the proofs of these listings' owners. The check also reads the owners. */
const CHECK_OWNERS = `UPDATE linked_account k SET check_due_at = ledger_now() FROM listing l
  WHERE l.subject_id = ANY ($1::uuid[]) AND l.host_owner_id IS NULL AND l.identity_doubt IS NULL
    AND k.kind = 'repo_host' AND k.proved_at IS NOT NULL AND k.removed_at IS NULL AND k.host = l.host
    AND lower(k.handle) = lower(split_part(l.repository, '/', 1))`;

/** Locks subjects in the order of their ids. The array parameter keeps one prepared statement for any number. */
const LOCK_SUBJECTS = 'SELECT FROM subject WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE';

/** Selects the texts by which listings are found. */
const SEARCHABLE = `SELECT l.subject_id AS id, l.name, l.repository, l.description, l.tags, l.category,
  ARRAY[c.handle, c.display_name] AS "creatorNames",
  ARRAY(SELECT concat_ws(' ', a.name, (SELECT string_agg(n.name, ' ' ORDER BY n.name) FROM artifact_other_name n
      WHERE n.subject_id = a.subject_id), a.description) FROM artifact a WHERE a.listing_id = l.subject_id ORDER BY a.name LIMIT 200) AS artifacts
  FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE l.subject_id = ANY ($1::uuid[])`;

/**
 * Updates changed search words, together with the filter terms for kind, licence and tags. Words in an earlier format
 * are rewritten in the current one.
 */
const SAVE_WORDS = `UPDATE listing_words w SET words = n.words, form = DEFAULT, popularity = n.popularity
  FROM (SELECT r.id, array_to_tsvector(r.words || listing_marks(l.kind, l.license, l.tags)) AS words,
      ${POPULARITY} AS popularity
    FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, words text[]) JOIN listing l ON l.subject_id = r.id) AS n
  WHERE w.subject_id = n.id AND (w.words <> n.words OR w.popularity <> n.popularity OR w.form < 2)`;

/** Selects some listings whose words have an earlier format. */
const EARLIER_WORDS =
  'SELECT subject_id AS id FROM listing_words WHERE form < 2 ORDER BY subject_id LIMIT $1 FOR UPDATE';

const BATCH_SIZE = 500;

/** Rewrites search words of an earlier format in small batches. Returns the number of listings rewritten. */
export async function rewriteSearchWords(database: Database, stopping: AbortSignal): Promise<number> {
  let written = 0;
  while (!stopping.aborted) {
    const ids = await inTransaction(database, async (connection) => {
      const earlier = await findEarlierWords(connection, BATCH_SIZE);
      await refreshSearch(connection, earlier);
      return earlier;
    });
    written += ids.length;
    if (ids.length < BATCH_SIZE) break;
  }
  return written;
}

/**
 * Renames listings whose name now belongs to another repository. Their new name is unknown. Until a source states it,
 * they are called `owner/name~<repository id>`, which no host allows as a name.
 */
export async function displaceListings(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(DISPLACE_LISTINGS, [ids]);
}

/** Schedules an immediate check of the proofs of accounts that may own the new listings. */
export async function checkOwners(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(CHECK_OWNERS, [ids]);
}

/** Locks existing subjects in the order of their ids. All batches use this order, so that they cannot deadlock. */
export async function lockSubjects(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await connection.query(LOCK_SUBJECTS, [ids]);
}

interface Searchable extends ListingTexts {
  id: string;
}

/** Updates listings' search words from their current texts and their creators' names. */
export async function refreshSearch(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const listings = await connection.query<Searchable>(SEARCHABLE, [ids]);
  const records = listings.map((listing) => ({ id: listing.id, words: listingWords(listing) }));
  await connection.query(SAVE_WORDS, [JSON.stringify(records)]);
  await saveVocabulary(connection, records);
}

/** Locks and returns at most `most` listings whose words have an earlier format. */
async function findEarlierWords(connection: Connection, most: number): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(EARLIER_WORDS, [most]);
  return rows.map(({ id }) => id);
}

/**
 * Adds subjects. Large batches use COPY; small ones use array parameters, which keep one prepared statement for any
 * number.
 */
export async function addSubjects(
  connection: Connection,
  subjects: readonly { id: string; type: SubjectType; name: string }[],
): Promise<void> {
  if (isWorthCopying(connection, subjects))
    return copyRows(connection, 'subject', 'id uuid, type text, name text', subjects);
  await connection.query(
    'INSERT INTO subject (id, type, name) SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[])',
    [subjects.map(({ id }) => id), subjects.map(({ type }) => type), subjects.map(({ name }) => name)],
  );
}
