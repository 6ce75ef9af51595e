import { readSearch, type Search } from '../../registry/listings/read-search.ts';
import { marksQuery } from '../../registry/listings/search-marks.ts';

/** What words ask for: as somebody wrote them, or as they were read already; null for none. */
export type Query = string | Search | null;

/** What is asked of listings beside what their narrow rows have columns for. */
export interface Asked {
  q: Query;
  kind?: string | null;
  license?: string | null;
  tag?: string | null;
}

/**
 * The search that is counted: words and tag as `$1::tsquery`; null where the words hold none, which matches nothing. Kind and
 * licence are no part of it, since every count tells how it spreads over them.
 */
export function countedQuery({ q, tag }: { q: Query; tag: string | null }): string | null {
  return pageQuery({ q, tag });
}

/** The search that a page is found by: all that is asked, as `$1::tsquery`; null where the words hold none. */
export function pageQuery(asked: Asked): string | null {
  return pageSearch(asked)?.all ?? null;
}

/** The same with its classes of relevance. */
export function pageSearch({ q, ...marks }: Asked): Search | null {
  const words = typeof q === 'string' ? readSearch(q) : q;
  if (q !== null && words === null) return null;
  const marked = marksQuery(marks);
  const within = (search: string) => (marked.length === 0 ? search : [`(${search})`, ...marked].join(' & '));
  if (words === null) return { all: marked.join(' & '), classes: [] };
  return { all: within(words.all), classes: words.classes.map(within) };
}

/** Whether a page needs a search at all, or only columns of narrow rows. */
export function isSearch({ q, kind = null, license = null, tag = null }: Asked): boolean {
  return [q, kind, license, tag].some((value) => value !== null);
}
