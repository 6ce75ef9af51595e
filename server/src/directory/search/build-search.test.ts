import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSynonyms } from '../../catalog/listings/synonyms.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { buildSearch } from './build-search.ts';
import { matchOf } from './match-conditions.sql.ts';

const SYNONYMS = parseSynonyms('[["k8s", "kubernetes"], ["llm", "large language model"]]', 'a test');
/** Connection to an empty directory. */
const EMPTY = { query: () => Promise.resolve([]) } as unknown as Connection;
const LEXEME = /'[=^~+%]?[\p{L}\p{M}\p{N}]{1,200}(?:\/[\p{L}\p{M}\p{N}]{1,200})?'(?::\*|:A)?/gu;

it('queries contain no operators from the text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
      const search = await buildSearch(EMPTY, text, SYNONYMS);
      if (search === null) return;
      const queries = [
        search.named,
        matchOf(search, [], true)?.by ?? '',
        matchOf(search, [], false)?.by ?? '',
        ...search.terms.flatMap(({ any, name, tag, text: inText, weak, synonym }) => [
          ...[any, name, tag, inText, weak],
          ...(synonym === null ? [] : [synonym.strong, synonym.text]),
        ]),
      ];
      for (const query of queries) expect(query.replace(LEXEME, '')).toMatch(/^[ &|!()]*$/);
    }),
  );
});

describe('a listing with only the common word of two', () => {
  const synonymShares = new Map();
  const common = { weight: 1, any: "'common'", share: 0.1, listings: 1_800, synonymShares };

  it.each([
    ['matches if hardly any listing has the rare one', { listings: 18_000 }, 0.0001, true],
    ['does not match if more listings have it', { listings: 18_000 }, 0.001, false],
    ['does not match in a small directory, where a few are many', { listings: 20 }, 0.05, false],
    ['does not match if the words are a name', { listings: 18_000, isKnown: true }, 0.0001, false],
  ])('%s', async (_, change, share, matches) => {
    const search = await buildSearch(EMPTY, 'rare common');
    if (search === null) throw new Error('the search has no words');
    const terms = [{ weight: 5, any: "'rare'", share, listings: 1, synonymShares }, common];

    const match = matchOf({ ...search, ...change, terms: terms as never }, [], true);

    expect(match?.by.includes("| ('common')")).toBe(matches);
  });
});

it('the matches of a synonym for several words together are expected, too', async () => {
  const counts = new Map([
    ['gmail', 900],
    ['office', 900],
  ]);
  const query = async (_sql: string, [words]: [string[]]) =>
    words.map((word) => ({ word, listings: counts.get(word) ?? 30, named: 20, longer: 0, total: 10_000 }));
  const expectedOf = async (text: string) => {
    const synonyms = parseSynonyms('[["electronic post", "gmail"]]', 'a test');
    const search = await buildSearch({ query } as unknown as Connection, text, synonyms);
    return matchOf(search, [], true)?.expected ?? 0;
  };

  expect(await expectedOf('electronic post office')).toBeGreaterThanOrEqual(900);
  expect(await expectedOf('electronic post office address lookup')).toBeLessThan(900);
});

it('weights are numbers in an empty directory', async () => {
  const { terms } = (await buildSearch(EMPTY, 'crawl websites', SYNONYMS)) ?? { terms: [] };

  expect(terms).toHaveLength(2);
  for (const { weight } of terms) expect(weight).toBeGreaterThanOrEqual(0);
});
