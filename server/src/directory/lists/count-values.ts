import type { Connection } from '../../platform/database/connect.ts';
import type { AskedSearches } from './asked-searches.ts';
import { readCommonTags, readKeptCounts, readTags } from './count-by-filter.queries.ts';
import { type Counts, countSelected, type Facet, selectFacets } from './count-by-filter.ts';
import { type CountedFilter, type FilterSelection, lowerAscii } from './filters.ts';
import { isSearch, pageQuery, type Query } from './list-query.ts';

/** Maximum matches of which each is read to count its tags; takes a few milliseconds. */
const MAX_LOOKED_AT = 1_000;

/** Number of common tags offered for larger results. */
const OFFERED_TAGS = 16;

export interface TagsInput extends FilterSelection {
  q: Query;
}

/**
 * Returns the most common tags among the matches, most frequent first, each with its number of entries; includes the
 * selected tag. `counts` are those of the search without a tag. For large results, counts come from stored totals
 * only: a tag without a stored total is left out and reported to `asked`, so that its total is stored later.
 */
export async function countTags(
  connection: Connection,
  { tag = null, ...input }: TagsInput,
  counts: Counts,
  most: number,
  asked?: AskedSearches,
): Promise<ValueCount[]> {
  const left = countSelected(counts.found, input);
  if (left === 0) return shownValues([], tag, most);
  if (left <= MAX_LOOKED_AT) {
    const search = isSearch(input) ? pageQuery(input) : null;
    return shownValues(await readTags(connection, search, input, OFFERED_TAGS), tag, most);
  }
  const common = await readCommonTags(connection, OFFERED_TAGS);
  const tags = [...new Set([...(tag === null ? [] : [tag.toLowerCase()]), ...common])];
  const searches = tags.map((each) => pageQuery({ q: input.q, tag: each }) ?? '');
  const kept = await readKeptCounts(connection, searches, input);
  const counted = tags.flatMap((value, place) => {
    const count = kept[place] ?? null;
    if (count === null) asked?.note(searches[place] ?? '', left);
    return count === null || count === 0 ? [] : [{ value, count }];
  });
  return shownValues(counted, tag, most);
}

/** A filter value and its number of entries. */
export interface ValueCount {
  value: string;
  count: number;
}

/**
 * Returns the most common values of a filter, such as kind or licence, among the entries that pass the other filters, most frequent first.
 * Values that differ only in case are merged under the most frequent spelling. Always includes the selected value,
 * even with 0 entries.
 */
export function countValues(
  facets: readonly Facet[],
  filter: CountedFilter,
  selection: FilterSelection,
  most: number,
): ValueCount[] {
  const chosen = selection[filter] ?? null;
  const values = new Map<string, ValueCount & { spelt: number }>();
  for (const { value, count } of spellings(selectFacets(facets, { ...selection, [filter]: null }), filter)) {
    const key = lowerAscii(value);
    const known = values.get(key) ?? { value, count: 0, spelt: 0 };
    values.set(key, {
      value: count > known.spelt ? value : known.value,
      spelt: Math.max(count, known.spelt),
      count: known.count + count,
    });
  }
  return shownValues(
    [...values.values()].map(({ value, count }) => ({ value, count })),
    chosen === null ? null : String(chosen),
    most,
  );
}

/** Returns the most frequent values, and always the selected one. */
function shownValues(counted: readonly ValueCount[], chosen: string | null, most: number): ValueCount[] {
  const ranked = [...counted].sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  const shown = ranked.slice(0, most);
  const isChosen = ({ value }: ValueCount) => chosen !== null && lowerAscii(value) === lowerAscii(chosen);
  if (chosen === null || shown.some(isChosen)) return shown;
  return [ranked.find(isChosen) ?? { value: chosen, count: 0 }, ...shown.slice(0, most - 1)];
}

/** Counts entries by exact spelling. */
function spellings(facets: readonly Facet[], filter: CountedFilter): ValueCount[] {
  const counts = new Map<string, number>();
  for (const facet of facets) {
    const value = String(facet[filter]);
    if (value !== '') counts.set(value, (counts.get(value) ?? 0) + facet.count);
  }
  return [...counts].map(([value, count]) => ({ value, count }));
}
