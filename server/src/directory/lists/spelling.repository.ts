import type { Connection } from '../../database/connect.ts';
import { PLANNED_ANEW } from '../../database/statement-names.ts';
import { PLACE } from '../../registry/listings/listing-words.ts';
import { Values } from './list-agents-stretches.sql.ts';
import { conditions, type FoundBy, found } from './list-conditions.sql.ts';

/** Which of these are spellings of names or tags. */
export async function findSpelled(connection: Connection, words: readonly string[]): Promise<string[]> {
  const rows = await connection.query<{ word: string }>(
    'SELECT DISTINCT s.word FROM unnest($1::text[]) AS asked (word) JOIN search_spelling s ON s.word = asked.word COLLATE "C"',
    [words],
  );
  return rows.map(({ word }) => word);
}

/** Spellings that share the most trigrams with what was asked, and at least this part of all that either has. */
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

/** Who has a spelling now. */
export interface Bearer {
  word: string;
  /** As the most popular listing writes it of which it is the whole name; null where it is a word of names or tags. */
  name: string | null;
  /** Of the most popular that has it. */
  popularity: number;
}

/** Only so many that have a spelling are looked at. */
const MOST_LOOKED_AT = 500;

/** Of these spellings those that listings still have. */
export function findBearers(connection: Connection, words: readonly string[]): Promise<Bearer[]> {
  const searches = words.map(
    (word) => `'${PLACE.wholeName}${word}' | '${PLACE.name}${word}' | '${PLACE.tag}${word}'`,
  );
  return connection.query<Bearer>(
    `${PLANNED_ANEW} SELECT asked.word, CASE WHEN best."isWhole" THEN l.name END AS name, best.popularity
     FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (word, search, whole)
     CROSS JOIN LATERAL (
       SELECT * FROM (SELECT subject_id, agent_id, popularity, words @@ asked.whole::tsquery AS "isWhole" FROM listing_words
         WHERE words @@ asked.search::tsquery LIMIT ${MOST_LOOKED_AT}) AS bearing
       ORDER BY "isWhole" DESC, popularity DESC, agent_id LIMIT 1) AS best
     JOIN listing l ON l.subject_id = best.subject_id`,
    [words, searches, words.map((word) => `'${PLACE.wholeName}${word}'`)],
  );
}

/** Whether a search finds anything at all, looked for in what the index finds by `by`. */
export async function findsAny(connection: Connection, search: FoundBy): Promise<boolean> {
  const values = new Values();
  const matches = conditions(found(search, values));
  const [row] = await connection.query<{ found: boolean }>(
    `${PLANNED_ANEW} SELECT EXISTS (SELECT FROM listing_words ${matches}) AS found`,
    values.list,
  );
  return row?.found ?? false;
}
