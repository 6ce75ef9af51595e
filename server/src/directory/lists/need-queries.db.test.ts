import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeCreator, makeListing } from '../../../testing/subjects/registry.factory.ts';
import { readSynonyms } from '../../catalog/listings/synonyms.ts';
import { recountVocabulary } from '../../catalog/listings/vocabulary.queries.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { listAgents } from './list-agents.ts';

/** A search for a need, with what an expert expects. */
interface NeedQuery {
  query: string;
  best: string[];
  good: string[];
  /** Listings that share words and do not fit. */
  bad: string[];
}

interface SampleRow {
  repository: string;
  type: 'agent' | 'skill';
  name: string;
  description: string | null;
  tags: string[];
  category: string;
  stars: number | null;
}

const NEEDS = read<NeedQuery>('../../../testing/search/need-queries.ndjson');
const SAMPLE = read<SampleRow>('../../../sample/listings.ndjson');
const SYNONYMS = readSynonyms(fileURLToPath(new URL('../../../synonyms.json', import.meta.url)));
const LIST = { verified: null, tier: null, category: null, offset: 0, cursor: null, limit: 50 } as const;

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
  await inTransaction(test.database, async (connection) => {
    const makers = new Map<string, Awaited<ReturnType<typeof makeCreator>>>();
    for (const { description, ...row } of SAMPLE) {
      const handle = row.repository.split('/')[0] ?? '';
      const creator = makers.get(handle.toLowerCase()) ?? (await makeCreator(connection, { handle }));
      makers.set(handle.toLowerCase(), creator);
      await makeListing(connection, { ...row, description: description ?? '', creator });
    }
  });
  await recountVocabulary(test.database);
  await test.database.query('VACUUM ANALYZE listing_words, search_word');
}, 120_000);
afterAll(() => test.close());

it('searches for a need lead to what an expert expects', async () => {
  const late: Record<'best in five' | 'three in ten' | 'none that does not fit first', string[]> = {
    'best in five': [],
    'three in ten': [],
    'none that does not fit first': [],
  };
  for (const { query, best, good, bad } of NEEDS) {
    const { agents } = await listAgents(test.database, {
      ...LIST,
      q: query,
      sort: 'relevance',
      synonyms: SYNONYMS,
    });
    const places = agents.map(({ repositoryUrl }) => repositoryUrl.replace('https://github.com/', ''));
    const isAmong = (names: readonly string[], most: number) =>
      places.slice(0, most).filter((place) => names.includes(place)).length;
    const firstBest = places.findIndex((place) => best.includes(place));
    const fitting = [...best, ...good];
    if (isAmong(best, 5) === 0) late['best in five'].push(query);
    if (isAmong(fitting, 10) < Math.min(3, fitting.length)) late['three in ten'].push(query);
    if (isAmong(bad, firstBest < 0 ? places.length : firstBest) > 0)
      late['none that does not fit first'].push(query);
  }

  expect(NEEDS.length).toBeGreaterThanOrEqual(12);
  expect(late['best in five'].length, JSON.stringify(late)).toBeLessThanOrEqual(1);
  // The sample has few listings for some needs, and no artifacts are listed here.
  expect(late['three in ten'].length, JSON.stringify(late)).toBeLessThanOrEqual(NEEDS.length * 0.3);
  expect(late['none that does not fit first'].length, JSON.stringify(late)).toBeLessThanOrEqual(1);
});

function read<Row>(path: string): Row[] {
  const text = readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8');
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);
}
