import { expect, it } from 'vitest';
import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import { NO_CORRECTIONS } from './correct-spelling.ts';
import { termOf } from './search-term.ts';

/** Builds the term of `画像` in a directory of 10,000 listings, of which so many have the word in descriptions only. */
function weightOf(listings: number, synonyms: readonly string[][]): number {
  const rows = new Map([
    ['画像', { listings, named: 0 }],
    ['image', { listings: 100, named: 80 }],
  ]);
  const vocabulary = {
    total: 10_000,
    of: (word: string) => ({
      word,
      longer: 0,
      total: 10_000,
      ...(rows.get(word) ?? { listings: 0, named: 0 }),
    }),
  };
  const replacements = new Map([['画像', synonyms]]);
  return termOf('画像', 0, {
    looked: ['画像'],
    vocabulary,
    replacements,
    corrected: NO_CORRECTIONS,
    typed: [],
  }).weight;
}

it('a word that a few descriptions have weighs as much as its synonyms in names and tags, a more common one as itself', () => {
  expect(weightOf(1, [['image']])).toBeGreaterThan(3);
  expect(weightOf(1, [])).toBe(SEARCH_WEIGHTS.maxRarity * SEARCH_WEIGHTS.minTopic);
  expect(weightOf(50, [['image']])).toBeLessThan(1);
});
