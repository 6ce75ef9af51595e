import { searchWords, stemOf, UNSPACED_CHARACTER } from '../../catalog/listings/search-words.ts';
import type { SearchTerm } from './search-term.ts';

/** Range of a text: `from` is the position of its first character, `to` the position after its last one. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A text in NFKC and lower case, with the range of the original text from which each of its characters comes. */
export interface ComparedText {
  readonly lower: string;
  /** Range in the original text for each character; null if all characters have their original positions. */
  readonly places: readonly TextRange[] | null;
}

// Matches a character together with following marks, Hangul letters and half-width sound marks, which NFKC may combine
// with it.
const JOINED = /.[\p{M}\u1160-\u11ff\uff9e\uff9f]*/gsu;
// Matches the positions between the words of a name such as `LlamaIndexTS`.
const CAPITAL = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** Prepares a text for comparison with search terms. */
export function comparedText(text: string): ComparedText {
  const lower = text.toLowerCase();
  const isUnchanged = text.normalize('NFKC') === text && lower.length === text.length;
  return isUnchanged ? { lower, places: null } : compared([text]);
}

/** Prepares a name for comparison, with a space before each word that begins with a capital. */
export function comparedName(name: string): ComparedText {
  return compared(name.split(CAPITAL));
}

/** Prepares the parts of a text and joins them with spaces. These spaces have an empty range in the original text. */
function compared(parts: readonly string[]): ComparedText {
  const places: TextRange[] = [];
  let lower = '';
  let start = 0;
  for (const part of parts) {
    if (start > 0) {
      lower += ' ';
      places.push({ from: start, to: start });
    }
    for (const { 0: written, index } of part.matchAll(JOINED)) {
      const normalised = written.normalize('NFKC').toLowerCase();
      const place = { from: start + index, to: start + index + written.length };
      lower += normalised;
      places.push(...Array.from(normalised.split(''), () => place));
    }
    start += part.length;
  }
  return { lower, places };
}

const LETTER = String.raw`\p{L}\p{M}\p{N}`;
/** A letter, mark or digit of a script with spaces between words. */
const SPACED = `[[${LETTER}]--${UNSPACED_CHARACTER}]`;

/**
 * Returns a pattern that matches any form of a term; the words of a form must follow one another. Returns null if the
 * term has no letters or digits. A word matches with any ending; a short word only exactly, in the plural or before a
 * digit.
 */
export function patternOf({ word, forms }: SearchTerm): RegExp | null {
  const alternatives = [[word], ...forms].map(formPattern).filter((each) => each !== '');
  return alternatives.length === 0 ? null : new RegExp(alternatives.join('|'), 'gv');
}

const ENDS_IN_WORD = new RegExp(`${SPACED}$`, 'v');

/**
 * Returns the ranges of the original text that contain a term. Checks for the start of a word only where the pattern
 * matches: a pattern with this check before each letter takes three times as long.
 */
export function locateTerm({ lower, places }: ComparedText, pattern: RegExp | null): TextRange[] {
  if (pattern === null) return [];
  return [...lower.matchAll(pattern)]
    .filter(({ index }) => index === 0 || !ENDS_IN_WORD.test(lower.slice(Math.max(0, index - 2), index)))
    .map(({ 0: found, index }) => ({
      from: places?.[index]?.from ?? index,
      to: places?.[index + found.length - 1]?.to ?? index + found.length,
    }));
}

/** Maximum length of a short stem, which does not match longer words that begin with it. */
const MAX_EXACT = 3;
const UNSPACED = new RegExp(`^${UNSPACED_CHARACTER}+$`, 'v');

function formPattern(form: readonly string[]): string {
  const words = form.map((word) => searchWords(word).join('')).filter((word) => word !== '');
  return words
    .map((word, at) => separatorBefore(word, words[at - 1]) + wordPattern(word, words[at - 1]))
    .join('');
}

function wordPattern(word: string, before = ''): string {
  if (UNSPACED.test(word)) return overlaps(before, word) ? word.slice(1) : word;
  const stem = stemOf(word);
  return stem.length > MAX_EXACT ? `${stem}${SPACED}*` : `${word}(?:s|\\d${SPACED}*)?(?!${SPACED})`;
}

function separatorBefore(word: string, before: string | undefined): string {
  if (before === undefined || overlaps(before, word)) return '';
  return `[^${LETTER}]${UNSPACED.test(word) || UNSPACED.test(before) ? '*' : '+'}`;
}

/** Returns true if two adjacent words share a character, as 数据 and 据库 do in 数据库. */
function overlaps(before: string, word: string): boolean {
  return UNSPACED.test(before) && UNSPACED.test(word) && before.at(-1) === word[0];
}

/** Sorts ranges and merges those that overlap or touch. */
export function mergeRanges(ranges: readonly TextRange[]): TextRange[] {
  const merged: TextRange[] = [];
  for (const range of [...ranges].sort((one, other) => one.from - other.from || other.to - one.to)) {
    const last = merged.at(-1);
    if (last === undefined || range.from > last.to) merged.push(range);
    else if (range.to > last.to) merged[merged.length - 1] = { from: last.from, to: range.to };
  }
  return merged;
}
