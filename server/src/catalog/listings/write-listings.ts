import { batchSource } from '../../platform/batching/batch-source.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { copyRows, isWorthCopying } from '../../platform/database/copy-rows.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import { type ListingTexts, listingWords } from './listing-words.ts';
import { saveVocabulary } from './refresh-vocabulary.ts';
import { POPULARITY } from './search-weights.ts';

/** Renames displaced listings to a placeholder, which the statement derives from the stored old name. */
const DISPLACE_LISTINGS = `UPDATE listing SET repository = repository || '~' || host_repository_id, host_owner_id = NULL,
  updated_at = ledger_now()
  WHERE subject_id = ANY ($1::uuid[])`;

/**
 * Schedules an immediate check of the proofs of accounts whose handle is the owner in these listings' names. The check
 * also reads the ids of the owners from the host. Leaves out listings whose owner is known or whose identity is in
 * doubt.
 */
const CHECK_OWNERS = `UPDATE linked_account k SET check_due_at = ledger_now() FROM listing l
  WHERE l.subject_id = ANY ($1::uuid[]) AND l.host_owner_id IS NULL AND l.identity_doubt IS NULL
    AND k.kind = 'repo_host' AND k.proved_at IS NOT NULL AND k.removed_at IS NULL AND k.host = l.host
    AND lower(k.handle) = lower(split_part(l.repository, '/', 1))`;

/**
 * Locks subjects in the order of their ids. Ids are one array parameter, so that one prepared statement serves any
 * number.
 */
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
  FROM (SELECT r.id, array_to_tsvector(r.words || listing_marks(l.kind, l.license, l.tags)) || r.weak::tsvector AS words,
      ${POPULARITY} AS popularity
    FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, words text[], weak text) JOIN listing l ON l.subject_id = r.id) AS n
  WHERE w.subject_id = n.id AND (w.words <> n.words OR w.popularity <> n.popularity OR w.form < 2)`;

/** Selects some listings whose words have an earlier format. */
const EARLIER_WORDS =
  'SELECT subject_id AS id FROM listing_words WHERE form < 2 ORDER BY subject_id LIMIT $1';

const BATCH_SIZE = 500;

/**
 * Rewrites search words of an earlier format in small batches. Returns the number of listings rewritten. Locks their
 * subjects first, because a charge that changes tiers also locks the subjects, and then updates the same rows in any
 * order.
 */
export async function rewriteSearchWords(database: Database, stopping: AbortSignal): Promise<number> {
  let written = 0;
  while (!stopping.aborted) {
    const ids = await inTransaction(database, async (connection) => {
      const earlier = await findEarlierWords(connection, BATCH_SIZE);
      await lockSubjects(connection, earlier);
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

/** Schedules an immediate check of the proofs of accounts that may own these listings. */
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

/**
 * Updates listings' search words from their current texts and their creators' names. The caller has locked the subjects
 * of the listings, so that no charge updates their words at the same time.
 */
export async function refreshSearch(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const listings = await connection.query<Searchable>(SEARCHABLE, [ids]);
  const records = listings.map((listing) => ({ id: listing.id, ...listingWords(listing) }));
  await connection.query(SAVE_WORDS, [JSON.stringify(records)]);
  await saveVocabulary(connection, records);
}

/** Returns at most `most` listings whose words have an earlier format. */
async function findEarlierWords(connection: Connection, most: number): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(EARLIER_WORDS, [most]);
  return rows.map(({ id }) => id);
}

/**
 * Adds subjects. Large batches use COPY; small ones use array parameters, so that one prepared statement serves any
 * number of subjects.
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

/** Returns SQL that adds to listings their filter terms and their popularity. */
const withTerms = (listings: string) => `
marked AS MATERIALIZED (SELECT l.*, listing_marks(l.kind, l.license, l.tags) AS terms, ${POPULARITY} AS popularity
  FROM ${listings} l)`;

/**
 * Returns the last steps of a statement that inserts the copies of new listings: rows of `listing_rank`,
 * `listing_order` and `listing_words`. Lists are ordered, filtered and searched by these copies. `listings` selects
 * rows of `listing` with two more columns, `words` and `weak`: the search words, as `listingWords` returns them. The
 * word index collects new words in a pending list and inserts them in bulk. With this list, PostgreSQL takes 0.72 to
 * 0.80 × the CPU time for an import (`npm run bench -- import`). Each search reads the whole pending list, so the list
 * is limited to 512 kB.
 */
export const insertCopies = (listings: string) => `${withTerms(listings)},
ranked AS (INSERT INTO listing_rank (subject_id, agent_id, type, verified, category, kind)
  SELECT subject_id, agent_id, type, verified, category, kind FROM marked),
ordered AS (INSERT INTO listing_order (subject_id, listed_at, last_commit_at, stars, agent_id, type, verified, category, kind,
    tags)
  SELECT subject_id, listed_at, last_commit_at, stars, agent_id, type, verified, category, kind, tags FROM marked)
INSERT INTO listing_words (subject_id, agent_id, type, verified, category, kind, license, sort_name, words, popularity)
SELECT subject_id, agent_id, type, verified, category, kind, coalesce(license, ''), lower(name),
  array_to_tsvector(words || terms) || weak::tsvector, popularity FROM marked`;

/** The search words of a new listing. */
export type AddedWords = { subject_id: string; words: string[]; weak?: string };

/** Inserts the copies of new listings, each with its search words, and adds the words to the vocabulary. */
export function addListingCopies(connection: Connection, listings: readonly AddedWords[]): Promise<void> {
  return addCopiesOf(connection, listings, (listing) => listing);
}

/** Does the same as `addListingCopies`. `toWords` runs while PostgreSQL receives the words of earlier listings. */
export async function addCopiesOf<Listing extends object>(
  connection: Connection,
  listings: readonly Listing[],
  toWords: (listing: Listing) => AddedWords,
): Promise<void> {
  const added: AddedWords[] = [];
  const columns = 'subject_id uuid, words text[], weak text';
  const { from, bind } = await batchSource(connection, columns, listings, (listing) => {
    const words = toWords(listing);
    added.push(words);
    return words;
  });
  await saveVocabulary(connection, added);
  const rows = `(SELECT a.*, r.words, coalesce(r.weak, '') AS weak FROM ${from} r JOIN listing a ON a.subject_id = r.subject_id)`;
  await connection.query(`WITH ${insertCopies(rows)}`, bind);
}

// Computes filter terms only of listings that differ from their copies, and writes only copies that differ, because
// each written row invalidates cached responses. Replaces only the filter terms in `words`; `refreshSearch` writes
// the other words.
const UPDATE_COPIES = `
WITH changed AS MATERIALIZED (
  SELECT l.*, (o.kind, o.tags, w.license) IS DISTINCT FROM (l.kind, l.tags, coalesce(l.license, '')) AS remarked
  FROM listing l JOIN listing_rank k ON k.subject_id = l.subject_id
  LEFT JOIN listing_order o ON o.subject_id = l.subject_id LEFT JOIN listing_words w ON w.subject_id = l.subject_id
  WHERE l.subject_id = ANY ($1::uuid[]) AND ((k.type, k.verified, k.category, o.type, o.verified, o.category, o.kind,
      o.tags, o.stars, o.last_commit_at, o.listed_at, w.type, w.verified, w.category, w.license, w.sort_name)
    IS DISTINCT FROM (l.type, l.verified, l.category, l.type, l.verified, l.category, l.kind,
      l.tags, l.stars, l.last_commit_at, l.listed_at, l.type, l.verified, l.category, coalesce(l.license, ''), lower(l.name))
      OR w.popularity IS DISTINCT FROM ${POPULARITY})),
${withTerms('changed')},
ranked AS (UPDATE listing_rank k SET type = m.type, verified = m.verified, category = m.category, kind = m.kind
  FROM marked m WHERE k.subject_id = m.subject_id AND (k.type, k.verified, k.category, k.kind)
    IS DISTINCT FROM (m.type, m.verified, m.category, m.kind)),
ordered AS (UPDATE listing_order o SET type = m.type, verified = m.verified, category = m.category,
    kind = m.kind, tags = m.tags, stars = m.stars, last_commit_at = m.last_commit_at, listed_at = m.listed_at
  FROM marked m WHERE o.subject_id = m.subject_id AND (o.type, o.verified, o.category, o.kind, o.tags, o.stars,
      o.last_commit_at, o.listed_at)
    IS DISTINCT FROM (m.type, m.verified, m.category, m.kind, m.tags, m.stars, m.last_commit_at, m.listed_at))
UPDATE listing_words w SET type = m.type, verified = m.verified, category = m.category, kind = m.kind,
  license = coalesce(m.license, ''), sort_name = lower(m.name), popularity = m.popularity,
  words = CASE WHEN NOT m.remarked THEN w.words
    ELSE ts_delete(w.words, ARRAY(SELECT lexeme FROM unnest(w.words) WHERE lexeme LIKE '#_:%')) || array_to_tsvector(m.terms) END
FROM marked m WHERE w.subject_id = m.subject_id AND (m.remarked
  OR (w.type, w.verified, w.category, w.sort_name, w.popularity)
    IS DISTINCT FROM (m.type, m.verified, m.category, lower(m.name), m.popularity))`;

/**
 * Updates the copies of these listings where they differ: rows of `listing_rank`, `listing_order` and `listing_words`.
 * Every transaction must call this function after a change of a listing's type, verified flag, category, kind, licence,
 * tags, name, last commit, or a fact that its popularity depends on. A trigger copies the tier.
 */
export async function updateListingCopies(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await connection.query(UPDATE_COPIES, [ids]);
}
