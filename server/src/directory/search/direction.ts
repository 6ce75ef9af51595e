import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import { queryWords } from '../../catalog/listings/search-words.ts';
import { comparedText, locateTerm, patternOf } from './locate-terms.ts';

/** Both sides of a conversion that a search text asks for: `pdf to markdown` goes from `pdf` to `markdown`. */
export interface Direction {
  readonly from: string;
  readonly to: string;
}

/** Words and arrows between the two sides that always express a conversion. */
const ARROWS = ['→', '->', '=>', '➜', '⇒'];
const STRONG = ['into', ...ARROWS];
/** Words between the two sides that can express a conversion, but have other meanings, too. */
const WEAK = ['to', '2', 'zu', 'nach', 'in', 'a', 'en', 'vers'];

function setOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Words that announce a conversion before or after its two sides, and belong to neither. */
const ANNOUNCING = setOf(`
  from convert converts converting convertir converter conversion turn turns turning transform transforming translate
  translates translating translator transcribe transcribing export exporting migrate migrating parse parsing render
  rendering change changing von konvertiere konvertieren konverter umwandeln wandle wandeln übersetze übersetzen de desde
  convierte convertidor pasar transformar traducir traduce um mp convertis traduire
`);

const ARTICLES = setOf('a an the my your all ein eine einen un una el la');

/** Nouns for the tool that converts. They belong to neither side. */
const CONVERTERS = setOf('mcp server skill agent tool api cli plugin app');

/** Words that end the second side. */
const ENDING = setOf('with for using via by on and or that mit für und con para y avec pour et');

/** Formats and kinds of content. A word of `WEAK` between two of them expresses a conversion. */
const CONTENTS = setOf(`
  pdf pdfs markdown md html docx doc word excel xlsx csv tsv json yaml xml toml text texto voice voz speech audio video
  image images imagen bild bilder svg png jpg jpeg latex tex sql code figma design designs sketch website webpage url
  slides ppt pptx powerpoint presentation epub notebook javascript js typescript ts python java rust go kotlin swift c
  english german french spanish chinese japanese englisch deutsch sprache stimme inglés español prompt diagram mermaid
  screenshot screenshots podcast blog mp3 mp4 gif
`);

/** Patterns of conversions in languages whose script has no spaces between words. */
const UNSPACED: readonly RegExp[] = [
  /^(?:将|將|把)?(.{2,40}?)(?:转换|轉換|转化|轉化|转|轉|翻译|翻譯)(?:为|為|成|到)(.{2,40})$/u,
  /^(?:将|將|把)?(.{2,40}?)[转轉](?![发發账帳移录錄让讓接动動换換])(.{2,40})$/u,
  /^(.{2,40}?)から(.{2,40}?)(?:[へに](?:の?変換.{0,10})?|の?変換.{0,10})?$/u,
  /^(.{2,40}?)を(.{2,40}?)[へに](?:の?変換|変え|翻訳).{0,10}$/u,
  /^(.{2,40}?)\s?へ\s?(.{2,40})$/u,
];

/**
 * Returns the direction of a conversion that a search text asks for, in lower case; null if it asks for none, or only
 * seems to ("how to write tests", "end to end").
 */
export function directionOf(text: string): Direction | null {
  const plain = text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/(→|->|=>|➜|⇒)/g, ' $1 ')
    .trim();
  return ofWords(plain.split(/\s+/)) ?? ofUnspaced(plain);
}

function ofWords(all: readonly string[]): Direction | null {
  const words = trimmed(all, ANNOUNCING);
  const between = [STRONG, WEAK].map((kind) => words.findIndex((word, at) => at > 0 && kind.includes(word)));
  const place = between.find((at) => at > 0);
  if (place === undefined) return null;
  const from = withoutFirst(withoutFirst(words.slice(0, place), CONVERTERS), ARTICLES);
  const after = words.slice(place + 1);
  const end = after.findIndex((word) => ENDING.has(word));
  const to = withoutLast(withoutFirst(end < 0 ? after : after.slice(0, end), ARTICLES), CONVERTERS);
  const isAnnounced = words.length < all.length || ARROWS.includes(words[place] ?? '');
  const isOfContents = CONTENTS.has(from.at(-1) ?? '') && CONTENTS.has(to[0] ?? '');
  return isAnnounced || isOfContents ? toDirection(from.join(' '), to.join(' ')) : null;
}

function ofUnspaced(text: string): Direction | null {
  for (const pattern of UNSPACED) {
    const [, from, to] = pattern.exec(text) ?? [];
    if (from !== undefined && to !== undefined) return toDirection(from.trim(), to.trim());
  }
  return null;
}

function toDirection(from: string, to: string): Direction | null {
  return from === to || from === '' || to === '' ? null : { from, to };
}

/** Removes unwanted words from the beginning and the end. */
function trimmed(words: readonly string[], unwanted: ReadonlySet<string>): readonly string[] {
  return withoutLast(withoutFirst(words, unwanted), unwanted);
}

function withoutFirst(words: readonly string[], unwanted: ReadonlySet<string>): readonly string[] {
  const first = words.findIndex((word) => !unwanted.has(word));
  return first < 0 ? [] : words.slice(first);
}

function withoutLast(words: readonly string[], unwanted: ReadonlySet<string>): readonly string[] {
  return words.slice(0, words.findLastIndex((word) => !unwanted.has(word)) + 1);
}

/** Returns a function that computes the factor for listings that convert in a direction, or in the opposite one. */
export function directionFactor(direction: Direction): (texts: readonly string[]) => number {
  const { same, other } = SEARCH_WEIGHTS.direction;
  const ends = [queryWords(direction.from).at(-1), queryWords(direction.to)[0]].map((word = '') =>
    patternOf({ word, forms: [] }),
  );
  return ([name = '', description = '']) => {
    const found = convertsFrom(name, ends) || convertsFrom(description, ends);
    return found > 0 ? same : found < 0 ? other : 1;
  };
}

/** Maximum distance in characters between both ends of a conversion. */
const MAX_DISTANCE = 80;

/** Matches a text in front of the result of a conversion, such as "into clean" before "Markdown". */
const BEFORE_RESULT =
  /(?:\binto|\b(?:convert|turn|transform|chang|export|translat|transcrib|render|pars|migrat)\w*\b.*\bto)(?:\s+\w+)?[\s-]*$/is;
/** Matches a text between the ends if the result comes first: "slides from Markdown", but not "from a file into slides". */
const RESULT_FIRST = /\b(?:from|out of)\b(?!.*\b(?:in)?to\b)/is;

/**
 * Returns 1 if a text names both ends near each other in this direction, -1 in the opposite direction, and 0 otherwise.
 * A text with only one of the ends counts if it names it as the result of a conversion.
 */
function convertsFrom(text: string, ends: readonly (RegExp | null)[]): number {
  const compared = comparedText(text);
  const [starts = [], stops = []] = ends.map((pattern) =>
    locateTerm(compared, pattern).map(({ from }) => from),
  );
  const found = starts.flatMap((start) => stops.map((stop) => orderOf(text, start, stop)));
  const result = found.find((each) => each > 0) ?? found.find((each) => each < 0);
  if (result !== undefined) return result;
  const isResult = (at: number) => BEFORE_RESULT.test(text.slice(Math.max(0, at - MAX_DISTANCE), at));
  if (starts.length === 0) return stops.some(isResult) ? 1 : 0;
  return stops.length === 0 && starts.some(isResult) ? -1 : 0;
}

/** Returns 1 if a text converts from what it names at `start` to what it names at `stop`, -1 if vice versa, 0 if far apart. */
function orderOf(text: string, start: number, stop: number): number {
  const [first, last] = start < stop ? [start, stop] : [stop, start];
  if (first === last || last - first > MAX_DISTANCE) return 0;
  const isResultFirst = RESULT_FIRST.test(text.slice(first, last));
  return start < stop !== isResultFirst ? 1 : -1;
}
