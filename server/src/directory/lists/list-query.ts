import { anyOf, formsOf, readSearch, type Search } from '../../registry/listings/read-search.ts';
import { marksOf, marksQuery } from '../../registry/listings/search-marks.ts';

/** What words ask for: as somebody wrote them, or as they were read already; null for none. */
export type Query = string | Search | null;

/** What is asked of listings beside what their narrow rows have columns for. */
export interface Asked {
  q: Query;
  license?: string | null;
  tag?: string | null;
}

/** A search as statements carry it out, as texts for `$1::tsquery`. */
export interface PageSearch {
  /** What finds all of its listings. */
  readonly all: string;
  /** What the index is asked for: as much or more. What it finds is then looked at one by one. */
  readonly by: string;
  /** As in a `Search`. */
  readonly classes: readonly string[];
  /** Marks of licence and tag that are asked for. */
  readonly marks: readonly string[];
  /** Whether anything else is. */
  readonly hasWords: boolean;
}

/** The search that a page is found by: all that is asked, as `$1::tsquery`; null where the words hold none. */
export function pageQuery(asked: Asked): string | null {
  return pageSearch(asked)?.all ?? null;
}

/** The same as statements carry it out, given which of its conditions many listings meet. */
export function pageSearch({ q, ...asked }: Asked, common: readonly string[] = []): PageSearch | null {
  const words = readWords(q);
  if (q !== null && words === null) return null;
  const marks = marksOf(asked);
  const marked = marksQuery(marks);
  const within = (search: string) => (marked.length === 0 ? search : [`(${search})`, ...marked].join(' & '));
  if (words === null) {
    const all = marked.join(' & ');
    return { all, by: all, classes: [], marks, hasWords: false };
  }
  const by = within(anyOf(words.groups.map((group) => rareOf(group, common))));
  return { all: within(words.all), by, classes: words.classes.map(within), marks, hasWords: true };
}

/** A condition of a search, and something that is enough to meet it: where that is common, the condition is. */
export interface Condition {
  condition: string;
  enough: string;
}

/** The conditions that the words of a search are made of, each with all that is enough for it. */
export function conditionsOf(q: Query): Condition[] {
  const conditions = [...new Set(readWords(q)?.groups.flat())];
  return conditions.flatMap((condition) => formsOf(condition).map((enough) => ({ condition, enough })));
}

/**
 * The index collects all beginnings that a condition asks for, also where few listings meet the others. So it is asked for
 * these alone, where there are any.
 */
function rareOf(group: readonly string[], common: readonly string[]): readonly string[] {
  const rare = group.filter((condition) => !common.includes(condition));
  return rare.length === 0 ? group : rare;
}

function readWords(q: Query): Search | null {
  return typeof q === 'string' ? readSearch(q) : q;
}

/** Whether a page needs a search at all, or only columns of narrow rows. */
export function isSearch({ q, license = null, tag = null }: Asked): boolean {
  return [q, license, tag].some((value) => value !== null);
}
