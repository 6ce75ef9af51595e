import { expect, it } from 'vitest';
import { SEARCH_WEIGHTS } from '../../catalog/listings/search-weights.ts';
import { termOf } from './search-term.ts';
import type { Replacement } from './vocabulary.queries.ts';

interface Counted {
  listings: number;
  named: number;
}

/** Builds the term of a word in a directory of 10,000 listings, of which so many have these words. */
function termIn(counts: Record<string, Counted>, word: string, synonyms: readonly Replacement[]) {
  const vocabulary = {
    total: 10_000,
    of: (each: string) => ({
      word: each,
      longer: 0,
      total: 10_000,
      ...(counts[each] ?? { listings: 0, named: 0 }),
    }),
  };
  const replacements = new Map([[word, synonyms]]);
  return termOf(word, 0, { looked: [word], vocabulary, replacements, typed: [] });
}

/** Returns the weight of `画像` if so many listings have the word, in descriptions only. */
function weightOf(listings: number, synonyms: readonly Replacement[]): number {
  const counts = { 画像: { listings, named: 0 }, image: { listings: 100, named: 80 } };
  return termIn(counts, '画像', synonyms).weight;
}

const IMAGE = { words: ['image'], isOfPhrase: false };

it('a word that a few descriptions have weighs as much as its synonyms in names and tags, a more common one as itself', () => {
  expect(weightOf(1, [IMAGE])).toBeGreaterThan(3);
  expect(weightOf(1, [])).toBe(SEARCH_WEIGHTS.maxRarity * SEARCH_WEIGHTS.minTopic);
  expect(weightOf(50, [IMAGE])).toBeLessThan(2);
});

it('a word with synonyms weighs more than one without that as many listings have', () => {
  const counts = {
    gdp: { listings: 50, named: 50 },
    economy: { listings: 50, named: 50 },
    figures: { listings: 100, named: 100 },
  };
  const synonyms = [{ words: ['economy'], isOfPhrase: false }];

  const ratio = termIn(counts, 'gdp', synonyms).weight / termIn(counts, 'figures', []).weight;

  expect(ratio).toBeCloseTo(SEARCH_WEIGHTS.subject, 10);
});

it('of the synonyms of a common word, only those of a whole phrase that are not common themselves are looked up', () => {
  const counts = {
    chat: { listings: 500, named: 500 },
    message: { listings: 100, named: 100 },
    rag: { listings: 100, named: 100 },
    server: { listings: 6_000, named: 6_000 },
  };
  const synonyms = [
    { words: ['message'], isOfPhrase: false },
    { words: ['rag'], isOfPhrase: true },
    { words: ['server'], isOfPhrase: true },
    { words: ['rag', 'server'], isOfPhrase: true },
  ];

  const common = termIn(counts, 'chat', synonyms);
  const rare = termIn({ ...counts, chat: { listings: 50, named: 50 } }, 'chat', synonyms);

  expect(common.any).toBe("'chat' | ('rag') | ('rag') & ('server')");
  expect(common.share).toBeCloseTo((500 + 100 + 60) / 10_000, 10);
  expect([...common.synonymShares.keys()]).toEqual(['rag', 'rag server']);
  expect(rare.any).toContain("('messag')");
});

it('a synonym whose words all have many listings is not looked up, but ranks what is found', () => {
  const synonyms = ['web', 'umami'].map((word) => ({ words: [word], isOfPhrase: false }));
  const counts = {
    analytics: { listings: 50, named: 50 },
    web: { listings: 10_001, named: 5_000 },
    umami: { listings: 10_000, named: 5_000 },
  };

  const { any, anywhere } = termIn(counts, 'analytics', synonyms);

  expect(any).toBe("'analytic' | ('umami')");
  expect(anywhere).toContain("('web')");
});
