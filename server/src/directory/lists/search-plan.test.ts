import { describe, expect, it } from 'vitest';
import type { Counts, Facet } from './count-by-filter.ts';
import { NO_FILTERS } from './filters.ts';
import { planSearch, planWithoutScan } from './search-plan.ts';

const facet = (category: string, count: number): Facet => ({
  type: 'skill',
  verified: false,
  tier: 'low',
  category,
  kind: 'skill',
  license: '',
  count,
});
const counts = (data: number, other: number): Counts => ({
  found: [facet('data', data), facet('other', other)],
  listed: [facet('data', 10_000), facet('other', 990_000)],
});
const DATA = { ...NO_FILTERS, category: 'data' };

describe('a search', () => {
  it('looks up each match of a rare word', () => {
    expect(planSearch(counts(100, 700), NO_FILTERS, 21)).toEqual({ by: 'ids' });
  });

  it('uses a hash filter for a moderately common word, with a limit per match', () => {
    expect(planSearch(counts(100, 4_900), NO_FILTERS, 21)).toEqual({ by: 'hash-filter', most: 160_000 });
  });

  it('uses an index scan for a common word, with a limit of a quarter of all entries', () => {
    expect(planSearch(counts(1_000, 99_000), NO_FILTERS, 21)).toEqual({ by: 'index-scan', most: 25_000 });
  });

  it('scans twice as far as evenly spread matches need, however few there are', () => {
    expect(planSearch(counts(1_000, 49_000), NO_FILTERS, 150)).toEqual({ by: 'index-scan', most: 12_500 });
    expect(planSearch(counts(1_000, 19_000), NO_FILTERS, 61)).toEqual({ by: 'hash-filter', most: 640_000 });
  });

  it('sorts all matches for a page too far from the start for a scan', () => {
    expect(planSearch(counts(1_000, 99_000), NO_FILTERS, 170_000)).toEqual({ by: 'words' });
  });

  it('checks the filtered entries if they are fewer than the matches', () => {
    expect(planSearch(counts(10, 500_000), DATA, 21)).toEqual({ by: 'filters' });
  });

  it('scans past filtered entries if enough of them match', () => {
    expect(planSearch(counts(9_000, 500_000), DATA, 2)).toEqual({ by: 'index-scan', most: 2_500 });
  });

  it('has a plan without an index scan', () => {
    expect(planWithoutScan(counts(1_000, 99_000), NO_FILTERS)).toEqual({ by: 'words' });
    expect(planWithoutScan(counts(9_000, 500_000), DATA)).toEqual({ by: 'filters' });
  });
});
