/**
 * Endings that do not change a word's meaning, by their last letter, each with the minimum length of the word without
 * it. An ending comes before the shorter endings that it contains.
 */
const ENDINGS: Readonly<Record<string, readonly (readonly [ending: string, least: number])[]>> = {
  d: [['ed', 5]],
  e: [
    ['ive', 5],
    ['e', 5],
  ],
  g: [['ing', 4]],
  n: [['ion', 5]],
  r: [
    ['er', 5],
    ['or', 5],
  ],
  s: [
    ['ies', 5],
    ['ings', 4],
    ['ers', 5],
    ['ors', 5],
    ['ions', 5],
    ['es', 5],
    ['s', 3],
  ],
  y: [['y', 5]],
};

const LATIN = /^[a-z]+$/;
/** Words such as `process`, `status` and `basis`, whose last letter is not a plural. */
const SINGULAR = /[sui]s$/;

/**
 * Returns the prefix that the forms of an English word share: `scrap` for `scrape`, `scraper` and `scraping`, `agent`
 * for `agents`. This stem is always a prefix of the word, so that a prefix search for the stem finds everything that a
 * prefix search for the word finds.
 */
export function stemOf(word: string): string {
  const endings = ENDINGS[word.at(-1) ?? ''];
  if (endings === undefined || !LATIN.test(word)) return word;
  for (const [ending, least] of endings) {
    const length = word.length - ending.length;
    if (length < least || !word.endsWith(ending)) continue;
    return ending === 's' && SINGULAR.test(word) ? word : word.slice(0, length);
  }
  return word;
}
// Runs of letters, marks and digits. All other characters separate words.
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
/**
 * Pattern of a character of a script that is written without spaces, or of Hangul, which is treated in the same way.
 * U+30FC is the long vowel mark of Japanese words.
 */
export const UNSPACED_CHARACTER = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]`;
// In these scripts, each character, with the marks that follow it, is a word.
const UNSPACED = new RegExp(String.raw`${UNSPACED_CHARACTER}\p{M}*`, 'gu');
// Range of characters that contains the scripts of UNSPACED.
const FIRST_UNSPACED = /[\u0e00-\uffff]/;
const BEYOND_ASCII = /[\u0080-\uffff]/;
const ASCII_WORD = /[a-z0-9]+/g;
const WORD_CHARACTERS = 100;
/** Maximum distinct words indexed per listing, because PostgreSQL rejects a tsvector over 1 MiB. */
export const WORDS_PER_LISTING = 2000;

/**
 * Splits a text into words, without the bigrams of `queryWords` and `indexWords`. Words are in NFKC and lower case, and
 * at most 100 characters long. In scripts without spaces, each character is a word. PostgreSQL's own parser is not
 * used, because its result depends on locale and dictionaries.
 */
export function searchWords(text: string): string[] {
  if (!BEYOND_ASCII.test(text)) return asciiWords(text);
  return [...cutText(text)].map(({ word }) => word);
}

/**
 * Splits search text into words. In scripts without spaces, returns bigrams, so that only texts with the same adjacent
 * characters match.
 */
export function queryWords(text: string): string[] {
  if (!BEYOND_ASCII.test(text)) return asciiWords(text);
  const cut = [...cutText(text)];
  return cut.flatMap(({ word, pair }, at) => {
    const isPairedBefore = cut[at - 1]?.pair !== undefined;
    return pair === undefined ? (isPairedBefore ? [] : [word]) : [pair];
  });
}

/** Splits stored text into words, plus bigrams for scripts without spaces. */
export function indexWords(text: string): string[] {
  if (!BEYOND_ASCII.test(text)) return asciiWords(text);
  return [...cutText(text)].flatMap(({ word, pair }) => (pair === undefined ? [word] : [word, pair]));
}

/** Splits ASCII text with a faster pattern, because most texts are ASCII. Such a text has no bigrams. */
function asciiWords(text: string): string[] {
  return (text.toLowerCase().match(ASCII_WORD) ?? []).map(shorten);
}

interface CutWord {
  word: string;
  /** Bigram with the next character, for scripts without word spaces (CJK). */
  pair?: string;
}

function* cutText(text: string): Generator<CutWord> {
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    if (!FIRST_UNSPACED.test(run)) {
      yield { word: shorten(run) };
      continue;
    }
    let from = 0;
    let before: string | null = null;
    for (const { 0: character, index } of run.matchAll(UNSPACED)) {
      if (before !== null)
        yield index === from ? { word: before, pair: shorten(before + character) } : { word: before };
      if (index > from) yield { word: shorten(run.slice(from, index)) };
      before = shorten(character);
      from = index + character.length;
    }
    if (before !== null) yield { word: before };
    if (from < run.length) yield { word: shorten(run.slice(from)) };
  }
}

/** Returns the first 2,000 distinct words, in order of appearance. */
export function distinctWords(words: readonly string[]): Set<string> {
  const distinct = new Set(words);
  return distinct.size <= WORDS_PER_LISTING ? distinct : new Set([...distinct].slice(0, WORDS_PER_LISTING));
}

function shorten(word: string): string {
  if (word.length <= WORD_CHARACTERS) return word;
  const cut = word.slice(0, WORD_CHARACTERS);
  // Drop half of a surrogate pair.
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
