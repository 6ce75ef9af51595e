import { FIELD_PREFIX, joinWords, MIN_SPELLING_LENGTH } from '../../catalog/listings/listing-words.ts';
import { parseSearch, type Search } from '../../catalog/listings/parse-search.ts';
import { queryWords } from '../../catalog/listings/search-words.ts';
import type { Synonyms } from '../../catalog/listings/synonyms.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AskedSearches } from './asked-searches.ts';
import { type Counts, countSearch, countSelected } from './count-by-filter.ts';
import { NO_FILTERS } from './filters.ts';
import { pageSearch, type Query } from './list-query.ts';
import {
  findNear,
  findSpelled,
  findSpellingMatches,
  findsAny,
  type SpellingMatch,
} from './spelling.queries.ts';

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

/** Returns the maximum edits allowed for a misspelled word of this length. */
function maxEdits(length: number): number {
  return length < 4 ? 0 : length < 8 ? 1 : 2;
}

/** Letters to insert or substitute. Other characters are only deleted or swapped. */
const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

/** Returns all words one edit away, using these letters. */
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

/** Maximum spellings found by trigrams. */
const MAX_NEAR = 100;

/** Maximum spellings whose listings are compared by popularity. */
const MAX_COMPARED = 10;

/** Maximum words of a text that is corrected. */
const MAX_WORDS = 6;

/**
 * Returns a corrected search text: the name nearest to the whole text, or the text with each unknown word replaced by
 * the nearest word of a name or tag. Null if nothing is near.
 */
export async function suggestSpelling(connection: Connection, q: string): Promise<string | null> {
  const whole = await nearest(connection, joinWords(q));
  const words = queryWords(q);
  if (whole !== null && (whole.name !== null || words.length === 1)) return whole.name ?? whole.word;
  if (words.length === 1 || words.length > MAX_WORDS) return null;
  const corrected: string[] = [];
  for (const word of words) {
    const search = searchFor(word);
    const isKnown =
      word.length < MIN_SPELLING_LENGTH || (await findsAny(connection, { all: search, by: search }));
    const other = isKnown ? null : await nearest(connection, word);
    if (!isKnown && other === null) return null;
    corrected.push(other?.word ?? word);
  }
  return corrected.every((word, place) => word === words[place]) ? null : corrected.join(' ');
}

function searchFor(word: string): string {
  return `'${FIELD_PREFIX.name}${word}':* | '${FIELD_PREFIX.tag}${word}':*`;
}

interface Near extends SpellingMatch {
  edits: number;
}

/**
 * Minimum trigram similarity of candidates that are more than one edit away or have rarely typed letters, per
 * attempt. Most edits preserve half of the trigrams. Few spellings share so many, so the first attempt reads only
 * those.
 */
const MIN_SIMILARITIES = [0.45, 0.2];

/**
 * Returns the nearest spelling: fewest edits, then whole names, then the most popular. First looks up all words one
 * edit away (a few hundred index lookups), because trigrams only find words that share many.
 */
async function nearest(connection: Connection, word: string): Promise<Near | null> {
  const most = maxEdits(word.length);
  if (most === 0) return null;
  const oneEdit = await nearestOf(
    connection,
    word,
    await findSpelled(connection, editsWithinOne(word)),
    most,
  );
  if (oneEdit) return oneEdit;
  for (const least of MIN_SIMILARITIES) {
    const found = await nearestOf(connection, word, await findNear(connection, word, least, MAX_NEAR), most);
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

/** A search after relaxing, and its counts. */
export interface RelaxedSearch {
  query: Exclude<Query, null>;
  /** Counts without any filter. */
  counts: Counts;
  /**
   * Text that the search was extended with, because the original finds nothing or too little; null if it was not
   * relaxed.
   */
  didYouMean: string | null;
}

/** Minimum number of matches of a text that is probably spelled correctly. If a match is by name, one is enough. */
const ENOUGH_MATCHES = 10;
/** Relevance classes of matches by name or repository, or with all words in the name. */
const CLASSES_BY_NAME = [0, 2];

/** Searches for a text. If it finds nothing or only a few descriptions, also searches for a corrected spelling. */
export async function relaxQuery(
  connection: Connection,
  q: string,
  { asked, synonyms }: { asked?: AskedSearches | undefined; synonyms?: Synonyms | undefined } = {},
): Promise<RelaxedSearch> {
  const literal = parseSearch(q, synonyms);
  const counts = await countSearch(connection, literal ?? q, asked);
  const written: RelaxedSearch = { query: literal ?? q, counts, didYouMean: null };
  if (literal === null) return written;
  const found = countSelected(counts.found, NO_FILTERS);
  const isNamed = () => {
    const search = pageSearch({ q: literal }, counts.common);
    const named = CLASSES_BY_NAME.flatMap((at) => literal.classes[at] ?? []).join(' | ');
    return search !== null && findsAny(connection, { all: named, by: search.by });
  };
  if (found >= ENOUGH_MATCHES || (found > 0 && (await isNamed()))) return written;
  const didYouMean = await suggestSpelling(connection, q);
  const other = didYouMean === null ? null : parseSearch(didYouMean, synonyms);
  if (other === null) return written;
  const query = found === 0 ? other : eitherSearch(literal, other);
  const widened = await countSearch(connection, query, asked);
  // Ignores a spelling that finds nothing more, because no listing has it any longer.
  return countSelected(widened.found, NO_FILTERS) > found ? { query, counts: widened, didYouMean } : written;
}

function eitherSearch(one: Search, other: Search): Search {
  const both = (first: string, second: string) => `${first} | ${second}`;
  return {
    all: both(one.all, other.all),
    classes: one.classes.map((search, at) => both(search, other.classes[at] ?? search)),
    groups: [...one.groups, ...other.groups],
  };
}
