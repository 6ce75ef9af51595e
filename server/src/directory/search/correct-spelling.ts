import { joinWords } from '../../catalog/listings/listing-words.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { editDistance, editsWithinOne } from './edit-distance.ts';
import {
  findNamedWords,
  findNearWords,
  findSpellingMatches,
  MIN_SPELLING_LENGTH,
  type SpellingMatch,
} from './vocabulary.queries.ts';

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
/**
 * Returns the minimum trigram similarity of candidates per attempt. Most edits preserve half of the trigrams. Few
 * spellings share so many, so the first attempt reads only those. Two edits change about seven of the trigrams, of which
 * a word has one more than letters.
 */
function minSimilarities(length: number): number[] {
  return [0.45, Math.min(0.45, Math.max(0.2, (length - 6) / (length + 8)))];
}

/** Trigrams are of ASCII letters and digits only. Without any, PostgreSQL would compare all words of the vocabulary. */
const HAS_TRIGRAMS = /[a-z0-9]/;

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

/** Returns the name or the word nearest to a text that begins no name; null if none is near. */
export async function correctSpelling(connection: Connection, text: string): Promise<string | null> {
  const near = await nearest(connection, joinWords(text));
  return near === null ? null : (near.name ?? near.word);
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
  if (!HAS_TRIGRAMS.test(word)) return null;
  for (const least of minSimilarities(word.length)) {
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
