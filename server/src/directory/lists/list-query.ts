import { marksQuery } from '../../registry/listings/search-marks.ts';
import { searchQuery } from '../../registry/listings/search-words.ts';

/** What is asked of listings beside what their narrow rows have columns for. */
export interface Asked {
  q: string | null;
  kind?: string | null;
  license?: string | null;
  tag?: string | null;
}

/**
 * The search that is counted: words and tag as `$1::tsquery`; null where the words hold none, which matches nothing. Kind and
 * licence are no part of it, since every count tells how it spreads over them.
 */
export function countedQuery({ q, tag }: { q: string | null; tag: string | null }): string | null {
  return pageQuery({ q, tag });
}

/** The search that a page is found by: all that is asked, as `$1::tsquery`; null where the words hold none. */
export function pageQuery({ q, ...marks }: Asked): string | null {
  const words = q === null ? [] : [searchQuery(q)];
  if (words.includes(null)) return null;
  return [...words, ...marksQuery(marks)].join(' & ');
}

/** Whether a page needs a search at all, or only columns of narrow rows. */
export function isSearch({ q, kind = null, license = null, tag = null }: Asked): boolean {
  return [q, kind, license, tag].some((value) => value !== null);
}
