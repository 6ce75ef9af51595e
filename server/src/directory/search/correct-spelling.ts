import { FIELD_PREFIX } from '../../catalog/listings/listing-words.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { FRESH_PLAN } from '../../platform/database/send-statement.ts';
import { editDistance, editsWithinOne } from './edit-distance.ts';
import { findNamedWords, findNearWords, MIN_SPELLING_LENGTH } from './vocabulary.queries.ts';

/**
 * Maximum length of a word whose neighbours one edit away are all looked up: at most 1,500. Longer words share enough
 * trigrams with their neighbours.
 */
const MAX_ENUMERATED = 20;
/** Maximum length of a corrected word: nobody types longer ones by hand. */
const MAX_SPELLING_LENGTH = 60;
/** Maximum spellings found by trigrams. */
const MAX_NEAR = 100;
/** Maximum spellings whose listings are compared by popularity. */
const MAX_COMPARED = 10;
/** Maximum listings read per spelling. */
const MAX_LOOKED_AT = 500;
/**
 * Minimum trigram similarity of candidates that are more than one edit away, per attempt. Most edits preserve half of
 * the trigrams. Few spellings share so many, so the first attempt reads only those.
 */
const MIN_SIMILARITIES = [0.45, 0.2];

/** Returns the maximum edits allowed for a misspelled word of this length. */
function maxEdits(length: number): number {
  return length < MIN_SPELLING_LENGTH || length > MAX_SPELLING_LENGTH ? 0 : length < 8 ? 1 : 2;
}

/** Returns the name of the most popular listing whose joined name is nearest to a joined text; null if none is near. */
export async function correctWhole(connection: Connection, whole: string): Promise<string | null> {
  return (await nearest(connection, whole))?.name ?? null;
}

/** Returns the nearest word of a name or tag; null if none is near. */
export async function correctWord(connection: Connection, word: string): Promise<string | null> {
  return (await nearest(connection, word))?.word ?? null;
}

interface Near extends SpellingMatch {
  edits: number;
}

/**
 * Returns the nearest spelling: fewest edits, then whole names, then the most popular. Looks up all words one edit away
 * before those that share trigrams, because a short word shares few.
 */
async function nearest(connection: Connection, word: string): Promise<Near | null> {
  const most = maxEdits(word.length);
  if (most === 0) return null;
  if (word.length <= MAX_ENUMERATED) {
    const oneEdit = await findNamedWords(connection, editsWithinOne(word));
    const found = await nearestOf(connection, word, oneEdit, most);
    if (found) return found;
  }
  for (const least of MIN_SIMILARITIES) {
    const spellings = await findNearWords(connection, word, least, MAX_NEAR);
    const found = await nearestOf(connection, word, spellings, most);
    if (found) return found;
  }
  return null;
}

async function nearestOf(
  connection: Connection,
  word: string,
  spellings: readonly string[],
  most: number,
): Promise<Near | null> {
  const near = spellings
    .map((spelling) => ({ spelling, edits: editDistance(word, spelling, most) }))
    .filter(({ edits }) => edits > 0 && edits <= most)
    .sort((one, other) => one.edits - other.edits)
    .slice(0, MAX_COMPARED);
  if (near.length === 0) return null;
  const bearers = await findSpellingMatches(
    connection,
    near.map(({ spelling }) => spelling),
  );
  const found = bearers.map((bearer) => ({
    ...bearer,
    edits: near.find(({ spelling }) => spelling === bearer.word)?.edits ?? most,
  }));
  return found.sort(byNearness)[0] ?? null;
}

function byNearness(one: Near, other: Near): number {
  return (
    one.edits - other.edits ||
    Number(other.name !== null) - Number(one.name !== null) ||
    other.popularity - one.popularity ||
    (one.word < other.word ? -1 : 1)
  );
}

/** Best listing with a spelling. */
interface SpellingMatch {
  word: string;
  /**
   * Name of the most popular listing that consists of just this word; null if the word is only part of names or tags.
   */
  name: string | null;
  /** Popularity of the best listing with this spelling. */
  popularity: number;
}

/** Returns those of the spellings that listings still have. */
function findSpellingMatches(connection: Connection, words: readonly string[]): Promise<SpellingMatch[]> {
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
