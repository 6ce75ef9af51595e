/** The new name is made of the old one where it is stored. */
export const DISPLACE_LISTINGS = `UPDATE listing SET repository = repository || '~' || host_repository_id, host_owner_id = NULL,
  updated_at = ledger_now()
  WHERE subject_id = ANY ($1::uuid[])`;

/** Proofs of the handles that these listings bear are checked now: the check reads who owns them. */
export const CHECK_OWNERS = `UPDATE linked_account k SET check_due_at = ledger_now() FROM listing l
  WHERE l.subject_id = ANY ($1::uuid[]) AND l.host_owner_id IS NULL AND l.identity_doubt IS NULL
    AND k.kind = 'repo_host' AND k.proved_at IS NOT NULL AND k.removed_at IS NULL AND k.host = l.host
    AND lower(k.handle) = lower(split_part(l.repository, '/', 1))`;

/** In the order of the ids; an array, so that one kept statement locks any number. */
export const LOCK_SUBJECTS = 'SELECT FROM subject WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE';

/** What listings are found by. */
export const SEARCHABLE = `SELECT l.subject_id AS id, l.name, l.repository, l.description, l.tags,
  ARRAY[c.handle, c.display_name] AS "creatorNames"
  FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE l.subject_id = ANY ($1::uuid[])`;

/**
 * A batch of search words, of which only changed ones are written. The marks of kind, licence and tags stand among them. What
 * had its words from before is of today then.
 */
export const SAVE_WORDS = `UPDATE listing_words w SET words = n.words, form = DEFAULT, popularity = n.popularity
  FROM (SELECT r.id, array_to_tsvector(r.words || listing_marks(l.kind, l.license, l.tags)) AS words,
      popularity_of(l.stars) AS popularity
    FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, words text[]) JOIN listing l ON l.subject_id = r.id) AS n
  WHERE w.subject_id = n.id AND (w.words <> n.words OR w.form = 0)`;

/** Listings whose words are those of an earlier version, at most so many. */
export const EARLIER_WORDS =
  'SELECT subject_id AS id FROM listing_words WHERE form = 0 ORDER BY subject_id LIMIT $1 FOR UPDATE';

/** Spellings that are not known yet. Without a constraint to wait at: twice is no harm. */
export const SAVE_SPELLINGS = `INSERT INTO search_spelling (word)
  SELECT asked FROM unnest($1::text[]) AS asked WHERE NOT EXISTS (SELECT FROM search_spelling WHERE word = asked)`;
