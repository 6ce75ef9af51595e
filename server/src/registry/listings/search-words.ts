// Runs of letters, marks and digits; everything else separates words.
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
// Scripts written without spaces: each character, with the marks that follow it, is a word of its own.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}\p{Script=Hangul}]\p{M}*/gu;
// All of those scripts stand from here on.
const FIRST_UNSPACED = /[\u0e00-\uffff]/;
const BEYOND_ASCII = /[\u0080-\uffff]/;
const ASCII_WORD = /[a-z0-9]+/g;
const WORD_CHARACTERS = 100;
// PostgreSQL refuses a tsvector over 1 MiB; a listing is found by the first so many different words of it.
const WORDS_PER_LISTING = 2000;

/**
 * The words of a text, as stored and as asked for: NFKC, lower case, one per character in scripts without spaces, each
 * at most 100 characters. Cut here and not by PostgreSQL's parser, so that no locale or dictionary matters.
 */
export function searchWords(text: string): string[] {
  if (!BEYOND_ASCII.test(text)) return asciiWords(text);
  return [...cutText(text)].map(({ word }) => word);
}

/**
 * The words that a text asks for: in scripts without spaces each two characters that stand side by side, so that only
 * texts are found in which they do.
 */
export function askedWords(text: string): string[] {
  if (!BEYOND_ASCII.test(text)) return asciiWords(text);
  const cut = [...cutText(text)];
  return cut.flatMap(({ word, pair }, at) => {
    const isPairedBefore = cut[at - 1]?.pair !== undefined;
    return pair === undefined ? (isPairedBefore ? [] : [word]) : [pair];
  });
}

/** What those words are looked for in: the words of a text, with the pairs of scripts without spaces. */
export function storedWords(text: string): string[] {
  if (!BEYOND_ASCII.test(text)) return asciiWords(text);
  return [...cutText(text)].flatMap(({ word, pair }) => (pair === undefined ? [word] : [word, pair]));
}

/** The same of a text of which most are: there a word is what stands between other characters, and has no pairs. */
function asciiWords(text: string): string[] {
  return (text.toLowerCase().match(ASCII_WORD) ?? []).map(shorten);
}

interface CutWord {
  word: string;
  /** With the character that follows, where both are of scripts without spaces. */
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

/** At most so many different words, in the order in which they first appear. */
export function distinctWords(words: Iterable<string>): string[] {
  const distinct = new Set<string>();
  for (const word of words) {
    if (distinct.size === WORDS_PER_LISTING) break;
    distinct.add(word);
  }
  return [...distinct];
}

function shorten(word: string): string {
  if (word.length <= WORD_CHARACTERS) return word;
  const cut = word.slice(0, WORD_CHARACTERS);
  // Never leave half of a character that takes two code units.
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
