import { searchWords } from '../../catalog/listings/search-words.ts';

/** Part of a text, as positions of its first character and of the one after its last. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** A search word of a text, with its place in the text as written. */
export interface LocatedWord extends TextRange {
  readonly word: string;
  /** True if no character is between this word and the one before, as in scripts without spaces. */
  readonly isAdjacent: boolean;
}

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const BEYOND_ASCII = /[\u0080-\uffff]/;
// A character with the marks, Hangul letters and half-width sound marks that NFKC joins with it.
const JOINED = /.[\p{M}\u1160-\u11ff\uff9e\uff9f]*/gsu;

/** Splits a text into the same words as `searchWords`, each with its place in the text as written. */
export function locateWords(text: string): LocatedWord[] {
  const { lower, rangeOf } = normalise(text);
  return [...lower.matchAll(WORD)].flatMap(({ 0: run, index }) => {
    let end = 0;
    return searchWords(run).map((word) => {
      const start = run.indexOf(word, end);
      const isAdjacent = start > 0 && start === end;
      end = start + word.length;
      return { word, isAdjacent, ...rangeOf(index + start, index + end) };
    });
  });
}

/** Splits a name into words at capitals too: `LlamaIndexTS` has the words `llama`, `index` and `ts`. */
export function locateNameParts(name: string): LocatedWord[] {
  let before = 0;
  return name.split(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u).flatMap((part) => {
    const start = before;
    before += part.length;
    return locateWords(part).map((word) => ({ ...word, from: start + word.from, to: start + word.to }));
  });
}

/** Text in NFKC and lower case, and the place of its parts in the text as written. */
interface Normalised {
  lower: string;
  rangeOf(from: number, to: number): TextRange;
}

function normalise(text: string): Normalised {
  if (!BEYOND_ASCII.test(text)) return { lower: text.toLowerCase(), rangeOf: (from, to) => ({ from, to }) };
  let lower = '';
  const starts: number[] = [];
  const ends: number[] = [];
  for (const { 0: joined, index } of text.matchAll(JOINED)) {
    const part = joined.normalize('NFKC').toLowerCase();
    lower += part;
    for (let at = 0; at < part.length; at += 1) {
      starts.push(index);
      ends.push(index + joined.length);
    }
  }
  return { lower, rangeOf: (from, to) => ({ from: starts[from] ?? 0, to: ends[to - 1] ?? text.length }) };
}

/** Sorts ranges and merges those that overlap. */
export function mergeRanges(ranges: readonly TextRange[]): TextRange[] {
  const merged: TextRange[] = [];
  for (const range of [...ranges].sort((one, other) => one.from - other.from || other.to - one.to)) {
    const last = merged.at(-1);
    if (last === undefined || range.from > last.to) merged.push(range);
    else if (range.to > last.to) merged[merged.length - 1] = { from: last.from, to: range.to };
  }
  return merged;
}
