import { lowerAscii } from '../../registry/listings/search-marks.ts';
import { type Choice, chooseFacets, type Facet } from './count-by-filter.ts';

/** A value of a filter and how many entries it leaves. */
export interface ValueCount {
  value: string;
  count: number;
}

/**
 * The commonest kinds or licenses among what the other filters leave, most first, each with how many entries it leaves. Upper
 * and lower case are one value, written as most entries write it. A chosen value is among them, even with 0 entries.
 */
export function countValues(
  facets: readonly Facet[],
  filter: 'kind' | 'license',
  choice: Choice,
  most: number,
): ValueCount[] {
  const values = new Map<string, ValueCount & { spelt: number }>();
  for (const { value, count } of spellings(chooseFacets(facets, { ...choice, [filter]: null }), filter)) {
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
    choice[filter] ?? null,
    most,
  );
}

/** The commonest of them, and the chosen one in any case. */
export function shownValues(
  counted: readonly ValueCount[],
  chosen: string | null,
  most: number,
): ValueCount[] {
  const ranked = [...counted].sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
  const shown = ranked.slice(0, most);
  const isChosen = ({ value }: ValueCount) => chosen !== null && lowerAscii(value) === lowerAscii(chosen);
  if (chosen === null || shown.some(isChosen)) return shown;
  return [ranked.find(isChosen) ?? { value: chosen, count: 0 }, ...shown.slice(0, most - 1)];
}

/** Every known spelling with its entries. */
function spellings(facets: readonly Facet[], filter: 'kind' | 'license'): ValueCount[] {
  const counts = new Map<string, number>();
  for (const facet of facets) {
    if (facet[filter] !== '') counts.set(facet[filter], (counts.get(facet[filter]) ?? 0) + facet.count);
  }
  return [...counts].map(([value, count]) => ({ value, count }));
}
