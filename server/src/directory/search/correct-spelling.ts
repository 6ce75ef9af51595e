import { joinWords } from '../../catalog/listings/listing-words.ts';
import { queryWords, stemOf } from '../../catalog/listings/search-words.ts';
import { isStopWord } from '../../catalog/listings/stop-words.ts';
import type { Connection } from '../../platform/database/connect.ts';
import {
  findNamedWords,
  findNearWords,
  findSpellingMatches,
  type KnownWord,
  MIN_SPELLING_LENGTH,
  type Replacements,
  type SpellingMatch,
  type Vocabulary,
} from './vocabulary.queries.ts';

/** Maximum words of a text whose spelling is corrected. */
const MAX_CORRECTED = 3;
/** A word with fewer listings may be misspelled. */
const ENOUGH_LISTINGS = 3;
/** Maximum edits for a word that some listing has: "argentina" in one description is not a misspelled "agentica". */
const MAX_EDITS_OF_FOUND = 1;
/** Minimum length of a corrected word with which longer words begin: a shorter one, such as "plan", may be right. */
const MIN_LENGTH_OF_CORRECTED_BEGINNING = 7;

/** A parsed search text whose spelling may be corrected. */
export interface CorrectableText {
  text: string;
  /** Words that are searched for. */
  words: readonly string[];
  vocabulary: Vocabulary;
  replacements: Replacements;
  /** The text without its spaces; null if it is not corrected to a name. */
  whole: string | null;
  /** True if the text counts as a name. */
  isName: boolean;
}

/** Correction of a search text. */
export interface Correction {
  /** The text with its corrected words, or the name of the listing that is nearest to the whole text. */
  text: string;
  /** Corrected words by the word as typed; null if the whole text was corrected. */
  words: ReadonlyMap<string, string> | null;
}

/**
 * Corrects up to three words of a search text that few or no listings have. If a name is near to the whole text, returns
 * this name instead. A name of known words is also corrected to a near name if no name or tag is the whole text. Words
 * with synonyms, such as words of other languages, are not corrected one by one. Returns null if nothing is corrected.
 */
export async function correctText(
  connection: Connection,
  { text, words, vocabulary, replacements, whole, isName }: CorrectableText,
): Promise<Correction | null> {
  const isBeginning = (word: string) => vocabulary.of(word).longer >= ENOUGH_LISTINGS;
  const unknown = words
    .filter(
      (word, at) =>
        !isBeginning(word) || (at < words.length - 1 && word.length >= MIN_LENGTH_OF_CORRECTED_BEGINNING),
    )
    .filter((word) => !replacements.has(word) && isUnknown({ ...vocabulary.of(word), longer: 0 }))
    .slice(0, MAX_CORRECTED);
  const isUnknownName = isName && whole !== null && words.length > 1 && isUnknown(vocabulary.of(whole));
  if (unknown.length === 0 && !isUnknownName) return null;
  const name = whole === null ? null : ((await nearestSpelling(connection, whole))?.name ?? null);
  if (name !== null) return { text: name, words: null };
  const corrected = new Map<string, string>();
  for (const word of unknown) {
    const most = Math.min(
      maxEdits(word.length),
      vocabulary.of(word).listings > 0 ? MAX_EDITS_OF_FOUND : Number.POSITIVE_INFINITY,
    );
    const other = (await nearestSpelling(connection, word, most))?.word ?? word;
    // "wordpres" is corrected to "wordpress", but "mercado", with which names begin, not to "mercato".
    const isFitting = !isBeginning(word) || other.startsWith(word);
    if (other !== word && isFitting && !isStopWord(other)) corrected.set(word, other);
  }
  if (corrected.size === 0) return null;
  return { text: replaceWords(text, corrected), words: corrected };
}

/** Replaces words of a text, given as `queryWords` returns them. Everything else of the text stays as it is. */
function replaceWords(text: string, others: ReadonlyMap<string, string>): string {
  return text.normalize('NFKC').replace(/[\p{L}\p{M}\p{N}]+/gu, (run) => {
    const words = queryWords(run);
    return (words.length === 1 && words[0] !== undefined && others.get(words[0])) || run;
  });
}

/** Returns true if a word is probably misspelled: no name or tag has it, and few listings have it. */
function isUnknown(known: KnownWord): boolean {
  if (known.word.length < MIN_SPELLING_LENGTH) return false;
  return known.named === 0 && known.listings + known.longer < ENOUGH_LISTINGS;
}

/**
 * Maximum length of a word for which all words one edit away are looked up; there are at most 1,500 of them. Longer
 * words share enough trigrams with similar words, so these are found by trigrams.
 */
const MAX_ENUMERATED = 20;
/** Maximum length of a corrected word, because longer words are rarely typed by hand. */
const MAX_SPELLING_LENGTH = 60;
/** Maximum candidates that the search by trigrams returns. */
const MAX_NEAR = 100;
/** Maximum candidates whose listings are loaded and compared by popularity. */
const MAX_COMPARED = 10;
/**
 * Returns the minimum trigram similarity of candidates: two edits change about seven trigrams, and a word has one
 * trigram more than it has letters.
 */
function minSimilarity(length: number): number {
  return Math.min(0.45, Math.max(0.2, (length - 6) / (length + 8)));
}

/** Returns the maximum edits allowed for a misspelled word of this length. */
function maxEdits(length: number): number {
  return length < MIN_SPELLING_LENGTH || length > MAX_SPELLING_LENGTH ? 0 : length < 8 ? 1 : 2;
}

/**
 * Returns the name or the word that is nearest to a text with which no name begins; null if none is near. A name that
 * equals the text without its spaces counts as nearest.
 */
export async function correctSpelling(connection: Connection, text: string): Promise<string | null> {
  const word = joinWords(text);
  if (maxEdits(word.length) === 0) return null;
  const [same] = word === text ? [] : await findSpellingMatches(connection, [word]);
  const near = same?.name ? same : await nearestSpelling(connection, word);
  return near === null ? null : (near.name ?? near.word);
}

interface Near extends SpellingMatch {
  edits: number;
}

/**
 * Returns the nearest word of a name or tag, or the nearest whole name without its spaces; null if none is near. Fewest
 * edits come first, then whole names, then the most popular, then whole words before stems. Looks up all words one edit
 * away before those that share trigrams, because a short word shares few.
 */
export async function nearestSpelling(
  connection: Connection,
  word: string,
  most = maxEdits(word.length),
): Promise<Near | null> {
  if (most === 0) return null;
  if (word.length <= MAX_ENUMERATED) {
    const oneEdit = await findNamedWords(connection, editsWithinOne(word));
    const found = await nearestOf(connection, word, oneEdit, most);
    if (found) return found;
  }
  const spellings = await findNearWords(connection, word, minSimilarity(word.length), MAX_NEAR);
  return nearestOf(connection, word, spellings, most);
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
    Number(stemOf(one.word) === one.word) - Number(stemOf(other.word) === other.word) ||
    (one.word < other.word ? -1 : 1)
  );
}

/**
 * Returns the number of edits between two words: a letter inserted, deleted or replaced, or two adjacent letters
 * swapped (Damerau-Levenshtein). Returns `most + 1` if there are more than `most`.
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1;
  let twoBefore: number[] = [];
  let before = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let i = 1; i <= one.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      row[j] = Math.min(
        at(before, j) + 1,
        at(row, j - 1) + 1,
        at(before, j - 1) + (isSame ? 0 : 1),
        isSwapped ? at(twoBefore, j - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    if (Math.min(...row) > most) return most + 1;
    [twoBefore, before] = [before, row];
  }
  return at(before, other.length);
}

function at(row: readonly number[], place: number): number {
  return row[place] ?? Number.POSITIVE_INFINITY;
}

/** Characters that `editsWithinOne` inserts or puts in place of another. It deletes, swaps and replaces any character. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

/** Returns all words one edit away from a word; inserts, and puts in place of another character, only `LETTERS`. */
export function editsWithinOne(word: string): string[] {
  const letters = [...word];
  const changed = (at: number, taken: number, ...put: string[]) =>
    letters.toSpliced(at, taken, ...put).join('');
  const near = letters.flatMap((letter, at) => [
    changed(at, 1),
    changed(at, 2, letters[at + 1] ?? '', letter),
    ...LETTERS.flatMap((other) => [changed(at, 1, other), changed(at, 0, other)]),
  ]);
  const all = new Set([...near, ...LETTERS.map((other) => word + other)]);
  all.delete(word);
  return [...all];
}
