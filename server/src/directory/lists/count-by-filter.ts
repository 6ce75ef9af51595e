import type { Connection } from '../../platform/database/connect.ts';
import type { Match } from '../search/match-conditions.sql.ts';
import {
  countMatches,
  countTagged,
  countVerdicts,
  readCommonTags,
  readTags,
  readTotals,
} from './count-by-filter.queries.ts';
import {
  COUNTED_FILTERS,
  type CountedFilter,
  chosenOf,
  FILTERS,
  type FilterSelection,
  type FilterValue,
  lowerAscii,
  NO_FILTERS,
} from './filters.ts';

/** Number of listings with these filter values. A licence is spelled as by the source, and empty if unknown. */
export type Facet = { readonly [Name in CountedFilter]: FilterValue<Name> } & { readonly count: number };

/** Returns the number of listings that pass the filters. */
export function countSelected(facets: readonly Facet[], selection: FilterSelection): number {
  return selectFacets(facets, selection).reduce((sum, { count }) => sum + count, 0);
}

/** Returns the facets that pass the filters. */
function selectFacets(facets: readonly Facet[], selection: FilterSelection): readonly Facet[] {
  const chosen = chosenOf(COUNTED_FILTERS, selection);
  return facets.filter((facet) => chosen.every(([name, value]) => hasValue(facet, name, value)));
}

/** Returns true if the facet has this filter value. Term filters ignore the case of A to Z; others compare exactly. */
function hasValue(facet: Facet, name: CountedFilter, value: string | boolean): boolean {
  if (FILTERS[name].stored === 'column') return facet[name] === value;
  return lowerAscii(String(facet[name])) === lowerAscii(String(value));
}

/** Numbers of matches of a search by filter values. */
export interface Counts {
  found: readonly Facet[];
  /** True if more listings match than were counted. */
  isLowerBound: boolean;
}

/**
 * Maximum matches that are counted for a search text. For facets, it also applies without a text if there is a filter
 * on the verdict (`many-matches.db.test.ts`).
 */
export const MAX_COUNTED = 10_000;

/**
 * Counts the matches of a search that pass the filters. A null match returns the totals of all listings, without the
 * filters. A search text counts at most 10,000 matches. For facets, so does a filter on the verdict without a text,
 * because each entry is read in two tables.
 */
export async function countSearch(
  connection: Connection,
  match: Match | null,
  selection: FilterSelection = NO_FILTERS,
  isForFacets = false,
): Promise<Counts> {
  if (match === null) return { found: await readTotals(connection), isLowerBound: false };
  const isBounded = match.hasText || (isForFacets && match.ranked !== undefined);
  const found = await countMatches(connection, match, selection, isBounded ? MAX_COUNTED + 1 : null);
  if (!isBounded || countSelected(found, NO_FILTERS) <= MAX_COUNTED) return { found, isLowerBound: false };
  // The last match only shows that there are more than the maximum, so it is subtracted from the largest count.
  const [most, ...others] = found.toSorted((one, other) => other.count - one.count);
  return { found: most ? [{ ...most, count: most.count - 1 }, ...others] : [], isLowerBound: true };
}

/**
 * Maximum length of a list whose entries are all read to count their tags. In a longer list, the count of each tag stops
 * at this number.
 */
const MAX_LOOKED_AT = 1_000;

/** Number of the most common tags that are counted. */
const OFFERED_TAGS = 16;

/**
 * Returns the most common tags among the matches (null: all listings), most frequent first, each with its number of
 * entries; includes the selected tag. `counts` are the counts of the same search without a tag. For large results,
 * common tags of the whole directory are counted, each up to 1,000 entries.
 */
export async function countTags(
  connection: Connection,
  match: Match | null,
  { tag = null, ...selection }: FilterSelection,
  counts: Counts,
  most: number,
): Promise<ValueCount[]> {
  const left = countSelected(counts.found, selection);
  if (left === 0) return shownValues([], tag, most);
  if (left <= MAX_LOOKED_AT && !counts.isLowerBound)
    return shownValues(await readTags(connection, match, selection, OFFERED_TAGS), tag, most);
  const common = await readCommonTags(connection, OFFERED_TAGS);
  const tags = [...new Set([...(tag === null ? [] : [tag.toLowerCase()]), ...common])];
  const counted = await countTagged(connection, tags, match, selection, MAX_LOOKED_AT + 1);
  const found = counted.flatMap(({ value, count }) =>
    count === 0
      ? []
      : [{ value, count: Math.min(count, MAX_LOOKED_AT), isLowerBound: count > MAX_LOOKED_AT }],
  );
  return shownValues(found, tag, most);
}

/** Maximum values of a facet, such as kinds or licences. */
const MAX_VALUES = 100;

/**
 * Counts the entries by verdict among the matches (null: all listings) that pass the filters, most frequent first.
 * Reads the row of each entry in `listing_rank`. At most 10,000 matches of a search text are counted.
 */
export async function countByVerdict(
  connection: Connection,
  match: Match | null,
  selection: FilterSelection,
): Promise<ValueCount[]> {
  const counted = await countVerdicts(connection, match, selection, match?.hasText ? MAX_COUNTED : null);
  return shownValues(counted, null, MAX_VALUES);
}

/** A filter value and its number of entries. */
export interface ValueCount {
  value: string;
  count: number;
  /** True if more entries have the value than were counted. */
  isLowerBound?: boolean;
}

/**
 * Returns the most common values of a filter, such as kind or licence, among the entries that pass the other filters,
 * most frequent first. Values that differ only in case are merged under the most frequent spelling. Always includes the
 * selected value, even with 0 entries.
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

/** Returns the `most` most frequent values; the selected one is always among them. */
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
