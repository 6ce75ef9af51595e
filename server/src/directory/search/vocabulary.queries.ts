import { FIELD_PREFIX } from '../../catalog/listings/listing-words.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';

/** Number of listings that have a word. */
export interface WordCount {
  word: string;
  listings: number;
  /** Number of listings that have it in name or tags. */
  named: number;
}

/** Entry of the vocabulary for a word. */
export interface KnownWord {
  word: string;
  /** Words with the same stem, the most common first; the word itself only if a listing has it. */
  forms: readonly WordCount[];
  /** Number of listings with longer words that begin with the word; counted for at most 300 words. */
  longer: number;
}

/** Maximum forms of a word. */
const MAX_FORMS = 30;
/** Maximum longer words that are counted. */
const MAX_LONGER = 300;

const KNOWN_WORDS = `SELECT asked.word, coalesce(forms.list, '[]') AS forms, coalesce(longer.listings, 0)::int AS longer
  FROM unnest($1::text[], $2::text[]) AS asked (word, stem)
  CROSS JOIN LATERAL (SELECT jsonb_agg(jsonb_build_object('word', w.word, 'listings', w.listings, 'named', w.named) ORDER BY w.listings DESC, w.word) AS list
    FROM (SELECT s.word, max(s.listings) AS listings, max(s.named) AS named FROM search_word s
      WHERE s.stem = asked.stem OR s.word = asked.word GROUP BY s.word ORDER BY 2 DESC, 1 LIMIT ${MAX_FORMS}) AS w) AS forms
  CROSS JOIN LATERAL (SELECT sum(l.listings) AS listings FROM (SELECT s.listings FROM search_word s
      WHERE s.word > asked.word AND s.word < asked.word || U&'\\+10FFFF' LIMIT ${MAX_LONGER}) AS l) AS longer`;

/** Looks words up in the vocabulary, each with its stem. */
export function readKnownWords(
  connection: Connection,
  words: readonly { word: string; stem: string }[],
): Promise<KnownWord[]> {
  return connection.query<KnownWord>(`${FRESH_PLAN} ${KNOWN_WORDS}`, [
    words.map(({ word }) => word),
    words.map(({ stem }) => stem),
  ]);
}

/** Minimum length of a word that is corrected, because one edit turns a shorter word into another word. */
export const MIN_SPELLING_LENGTH = 4;

/** Returns those of the words that some name or tag has. */
export async function findNamedWords(connection: Connection, words: readonly string[]): Promise<string[]> {
  const rows = await connection.query<{ word: string }>(
    `SELECT DISTINCT s.word FROM unnest($1::text[]) AS asked (word)
     JOIN search_word s ON s.word = asked.word COLLATE "C" AND s.named > 0`,
    [words],
  );
  return rows.map(({ word }) => word);
}

/** Returns the words of names and tags that share the most trigrams with a word; `least` is the minimum similarity. */
export async function findNearWords(
  connection: Connection,
  asked: string,
  least: number,
  most: number,
): Promise<string[]> {
  const rows = await connection.query<{ word: string }>('SELECT word FROM near_words($1, $2, $3)', [
    asked,
    least,
    most,
  ]);
  return rows.map(({ word }) => word);
}

/** Maximum listings read per spelling. */
const MAX_LOOKED_AT = 500;

/** Best listing with a spelling. */
export interface SpellingMatch {
  word: string;
  /**
   * Name of the most popular listing that consists of just this word; null if the word is only part of names or tags.
   */
  name: string | null;
  /** Popularity of the best listing with this spelling. */
  popularity: number;
}

/** Returns those of the spellings that listings still have. */
export function findSpellingMatches(
  connection: Connection,
  words: readonly string[],
): Promise<SpellingMatch[]> {
  const fields = [FIELD_PREFIX.wholeName, FIELD_PREFIX.name, FIELD_PREFIX.tag];
  const searches = words.map((word) => fields.map((field) => `'${field}${word}'`).join(' | '));
  return connection.query<SpellingMatch>(
    `${FRESH_PLAN} SELECT asked.word, CASE WHEN best."isWhole" THEN l.name END AS name, best.popularity
     FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (word, search, whole)
     CROSS JOIN LATERAL (
       SELECT * FROM (SELECT subject_id, agent_id, popularity, words @@ asked.whole::tsquery AS "isWhole" FROM listing_words
         WHERE words @@ asked.search::tsquery LIMIT ${MAX_LOOKED_AT}) AS bearing
       ORDER BY "isWhole" DESC, popularity DESC, agent_id LIMIT 1) AS best
     JOIN listing l ON l.subject_id = best.subject_id`,
    [words, searches, words.map((word) => `'${FIELD_PREFIX.wholeName}${word}'`)],
  );
}
