// Runs of letters, marks and digits; everything else separates words.
const WORD = /[\p{L}\p{M}\p{N}]+/gu;
// Scripts written without spaces: each character, with the marks that follow it, is a word of its own.
const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*/gu;
const WORD_CHARACTERS = 100;
// PostgreSQL refuses a tsvector over 1 MiB; a listing is found by the first so many different words of it.
const WORDS_PER_LISTING = 2000;

/**
 * The words of a text, as stored and as asked for: NFKC, lower case, one per character in scripts without spaces, each
 * at most 100 characters. Cut here and not by PostgreSQL's parser, so that no locale or dictionary matters.
 */
export function searchWords(text: string): string[] {
  const words: string[] = [];
  for (const [run] of text.normalize('NFKC').toLowerCase().matchAll(WORD)) {
    let from = 0;
    for (const match of run.matchAll(UNSPACED)) {
      if (match.index > from) words.push(run.slice(from, match.index));
      words.push(match[0]);
      from = match.index + match[0].length;
    }
    if (from < run.length) words.push(run.slice(from));
  }
  return words.map(shorten);
}

/** What a listing is found by: the different words of its texts, in order of appearance; for `array_to_tsvector($1)`. */
export function listingWords(texts: readonly (string | null)[]): string[] {
  const words = new Set<string>();
  for (const text of texts) {
    for (const word of searchWords(text ?? '')) {
      if (words.size === WORDS_PER_LISTING) return [...words];
      words.add(word);
    }
  }
  return [...words];
}

/**
 * A search as `$1::tsquery`: every word must match, each as a prefix. Null where the text has no word, which matches
 * nothing. Words hold only letters, marks and digits, so that no character of the text is an operator.
 */
export function searchQuery(text: string): string | null {
  const words = [...new Set(searchWords(text))];
  return words.length === 0 ? null : words.map((word) => `'${word}':*`).join(' & ');
}

function shorten(word: string): string {
  if (word.length <= WORD_CHARACTERS) return word;
  const cut = word.slice(0, WORD_CHARACTERS);
  // Never leave half of a character that takes two code units.
  return cut.isWellFormed() ? cut : cut.slice(0, -1);
}
