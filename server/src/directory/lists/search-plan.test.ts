import { describe, expect, it } from 'vitest';
import { ALL, type Counts, type Facet } from './count-by-filter.ts';
import { planSearch, planWithoutWalk } from './search-plan.ts';

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
const DATA = { ...ALL, category: 'data' };

describe('a search', () => {
  it('looks up each match of a rare word', () => {
    expect(planSearch(counts(100, 700), ALL, 21)).toEqual({ by: 'ids' });
  });

  it('holds the order against the matches of a word of middle frequency, and gives up at so many for each', () => {
    expect(planSearch(counts(100, 4_900), ALL, 21)).toEqual({ by: 'sieve', most: 160_000 });
  });

  it('walks along the order for a common one, and gives up at a quarter of what there is', () => {
    expect(planSearch(counts(1_000, 99_000), ALL, 21)).toEqual({ by: 'order', most: 25_000 });
  });

  it('walks twice as far as even matches need, however few there are', () => {
    expect(planSearch(counts(1_000, 49_000), ALL, 150)).toEqual({ by: 'order', most: 12_500 });
    expect(planSearch(counts(1_000, 19_000), ALL, 61)).toEqual({ by: 'sieve', most: 640_000 });
  });

  it('sorts all matches for a page so far from the start that any walk would be longer', () => {
    expect(planSearch(counts(1_000, 99_000), ALL, 170_000)).toEqual({ by: 'words' });
  });

  it('looks at what a filter leaves where that is less than what matches', () => {
    expect(planSearch(counts(10, 500_000), DATA, 21)).toEqual({ by: 'filters' });
  });

  it('walks past what a filter leaves out where enough of it matches', () => {
    expect(planSearch(counts(9_000, 500_000), DATA, 2)).toEqual({ by: 'order', most: 2_500 });
  });

  it('is found in another way than a walk where that was given up', () => {
    expect(planWithoutWalk(counts(1_000, 99_000), ALL)).toEqual({ by: 'words' });
    expect(planWithoutWalk(counts(9_000, 500_000), DATA)).toEqual({ by: 'filters' });
  });
});
