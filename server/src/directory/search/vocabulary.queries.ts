import { FIELD_PREFIX } from '../../catalog/listings/listing-words.ts';
import { stemOf } from '../../catalog/listings/search-words.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';

/** Entry of the vocabulary for a word. */
export interface KnownWord {
  word: string;
  /** Number of listings that have a word with this stem. */
  listings: number;
  /** Number of listings that have one in name or tags. */
  named: number;
  /** Number of listings with longer words that begin with the word, at most 300 words; 0 if they were not asked for. */
  longer: number;
  /** Number of listings in the directory; the same for all words. */
  total: number;
}

/** Maximum longer words that are counted. */
const MAX_LONGER = 300;

const KNOWN_WORDS = `SELECT asked.word, coalesce(known.listings, 0) AS listings, coalesce(known.named, 0) AS named,
    coalesce(longer.listings, 0)::int AS longer, (SELECT coalesce(sum(difference), 0)::bigint FROM listing_total) AS total
  FROM unnest($1::text[], $2::text[], $3::boolean[]) AS asked (word, stem, unfinished)
  CROSS JOIN LATERAL (SELECT max(s.listings) AS listings, max(s.named) AS named FROM search_word s
    WHERE s.word = asked.stem COLLATE "C") AS known
  CROSS JOIN LATERAL (SELECT sum(l.listings) AS listings FROM (SELECT s.listings FROM search_word s
      WHERE asked.unfinished AND s.word > asked.word COLLATE "C" AND s.word < (asked.word || U&'\\+10FFFF') COLLATE "C" LIMIT ${MAX_LONGER}) AS l) AS longer`;

/** Looks words up in the vocabulary; counts the longer words that begin with those in `unfinished`. */
export function readKnownWords(
  connection: Connection,
  words: readonly string[],
  unfinished: readonly string[],
): Promise<KnownWord[]> {
  const isUnfinished = new Set(unfinished);
  return connection.query<KnownWord>(KNOWN_WORDS, [
    words,
    words.map(stemOf),
    words.map((word) => isUnfinished.has(word)),
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
  const { wholeName, name, tag } = FIELD_PREFIX;
  const searches = words.map(
    (word) => `'${wholeName}${word}' | '${name}${stemOf(word)}' | '${tag}${stemOf(word)}'`,
  );
  return connection.query<SpellingMatch>(
    `${FRESH_PLAN} SELECT asked.word, CASE WHEN best."isWhole" THEN l.name END AS name, best.popularity
     FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (word, search, whole)
     CROSS JOIN LATERAL (
       SELECT * FROM (SELECT subject_id, agent_id, popularity, words @@ asked.whole::tsquery AS "isWhole" FROM listing_words
         WHERE words @@ asked.search::tsquery LIMIT ${MAX_LOOKED_AT}) AS bearing
       ORDER BY "isWhole" DESC, popularity DESC, agent_id LIMIT 1) AS best
     JOIN listing l ON l.subject_id = best.subject_id`,
    [words, searches, words.map((word) => `'${wholeName}${word}'`)],
  );
}
