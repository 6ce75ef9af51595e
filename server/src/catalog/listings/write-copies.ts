import { batchSource } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { CopiedRow } from '../../platform/database/copy-rows.ts';
import { POPULARITY } from './search-weights.ts';

/** Returns SQL that adds to listings their filter terms and their popularity. */
const withTerms = (listings: string) => `
marked AS MATERIALIZED (SELECT l.*, listing_marks(l.kind, l.license, l.tags) AS terms, ${POPULARITY} AS popularity
  FROM ${listings} l)`;

/**
 * Returns the last steps of a statement that inserts the copies of new listings. Lists are ordered, filtered and
 * searched by these copies. `listings` selects rows of `listing` with an additional column `words`, the search words.
 */
export const insertCopies = (listings: string) => `${withTerms(listings)},
ranked AS (INSERT INTO listing_rank (subject_id, agent_id, type, verified, category, kind)
  SELECT subject_id, agent_id, type, verified, category, kind FROM marked),
ordered AS (INSERT INTO listing_order (subject_id, listed_at, last_commit_at, stars, agent_id, type, verified, category, kind,
    tags)
  SELECT subject_id, listed_at, last_commit_at, stars, agent_id, type, verified, category, kind, tags FROM marked)
INSERT INTO listing_words (subject_id, agent_id, type, verified, category, kind, license, sort_name, words, popularity)
SELECT subject_id, agent_id, type, verified, category, kind, coalesce(license, ''), lower(name),
  array_to_tsvector(words || terms), popularity FROM marked`;

/** Inserts the copies of new listings, each with its search words. */
export async function addListingCopies(
  connection: Connection,
  listings: readonly CopiedRow[],
): Promise<void> {
  const { from, bind } = await batchSource(connection, 'subject_id uuid, words text[]', listings);
  const added = `(SELECT a.*, r.words FROM ${from} r JOIN listing a ON a.subject_id = r.subject_id)`;
  await connection.query(`WITH ${insertCopies(added)}`, bind);
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
 * Every transaction calls it that changes a listing's type, verified flag, category, kind, licence, tags, name, last
 * commit, or what its popularity depends on. The tier is copied by a trigger.
 */
export async function updateListingCopies(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await connection.query(UPDATE_COPIES, [ids]);
}
