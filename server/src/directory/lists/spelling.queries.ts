import { FIELD_PREFIX } from '../../catalog/listings/listing-words.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';
import { BindParameters } from './key-ranges.sql.ts';
import { indexConditions, type SearchQueries, whereClause } from './list-conditions.sql.ts';

/** Returns those of the words that are known spellings of names or tags. */
export async function findSpelled(connection: Connection, words: readonly string[]): Promise<string[]> {
  const rows = await connection.query<{ word: string }>(
    'SELECT DISTINCT s.word FROM unnest($1::text[]) AS asked (word) JOIN search_spelling s ON s.word = asked.word COLLATE "C"',
    [words],
  );
  return rows.map(({ word }) => word);
}

/** Returns the spellings that share the most trigrams with a word; `least` is the minimum similarity. */
export async function findNear(
  connection: Connection,
  asked: string,
  least: number,
  most: number,
): Promise<string[]> {
  const rows = await connection.query<{ word: string }>('SELECT word FROM near_spellings($1, $2, $3)', [
    asked,
    least,
    most,
  ]);
  return rows.map(({ word }) => word);
}

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

/** Maximum listings read per spelling. */
const MAX_LOOKED_AT = 500;

/** Returns those of the spellings that listings still have. */
export function findSpellingMatches(
  connection: Connection,
  words: readonly string[],
): Promise<SpellingMatch[]> {
  const searches = words.map(
    (word) =>
      `'${FIELD_PREFIX.wholeName}${word}' | '${FIELD_PREFIX.name}${word}' | '${FIELD_PREFIX.tag}${word}'`,
  );
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

/** Returns true if a search has any match. */
export async function findsAny(connection: Connection, search: SearchQueries): Promise<boolean> {
  const values = new BindParameters();
  const matches = whereClause(indexConditions(search, values));
  const [row] = await connection.query<{ found: boolean }>(
    `${FRESH_PLAN} SELECT EXISTS (SELECT FROM listing_words ${matches}) AS found`,
    values.list,
  );
  return row?.found ?? false;
}
