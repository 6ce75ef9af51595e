import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeManyListings } from '../../../testing/directory/make-many-listings.ts';
import { readToEnd, WHOLE_LIST } from '../../../testing/directory/whole-list.ts';
import { noteStatements } from '../../../testing/read-rows.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { recountVocabulary, saveVocabulary } from '../../catalog/listings/refresh-vocabulary.ts';
import type { Database } from '../../platform/database/connect.ts';
import { BindParameters } from '../../platform/database/send-statement.ts';
import { buildSearch } from '../search/build-search.ts';
import { isMatch, matchAny, matchOf } from '../search/match-conditions.sql.ts';
import { rankMatches } from '../search/rank-matches.queries.ts';
import { countSearch, countSelected, MAX_COUNTED } from './count-by-filter.ts';
import { type ListInput, listAgents, listFound } from './list-agents.ts';
import { listWithFacets } from './list-with-facets.ts';

const MANY = MAX_COUNTED + 60;
const COMMON: ListInput = { ...WHOLE_LIST, q: 'common', limit: 25 };
const SORTS = ['relevance', 'score_desc', 'name', 'stars'] as const;

let test: TestDatabase;
let database: Database;

/**
 * Every listing is `common` and has the tag `web`; exactly 10,000 are `frequent`. Every hundredth is `creative`, the
 * others `data`.
 */
beforeAll(async () => {
  test = await createTestDatabase({ outdatedCopies: true, statementTimeoutMs: 60_000 });
  database = test.database;
  const listing = await makeListing(database, { name: 'aaa' });
  await makeManyListings(database, listing.id, MANY, {
    words: `'common ''#t:web''' || CASE WHEN n <= ${MAX_COUNTED} THEN ' frequent' ELSE '' END`,
    category: "CASE WHEN n % 100 = 0 THEN 'creative' ELSE 'data' END",
    trust: 'n % 90',
  });
  await saveVocabulary(database, [{ words: ['common', 'frequent'], weak: '' }]);
  await recountVocabulary(database);
  await database.query('VACUUM ANALYZE listing, listing_rank, listing_words, listing_order, listing_total');
}, 120_000);
afterAll(() => test.close());

const ask = (input: Partial<ListInput>) => listAgents(database, { ...COMMON, ...input });

describe('the total of a search', () => {
  it.each(SORTS)('is exact up to 10,000, and a lower bound above, by %s', async (sort) => {
    expect(await ask({ sort, q: 'frequent' })).toMatchObject({
      total: MAX_COUNTED,
      totalIsLowerBound: false,
    });
    expect(await ask({ sort })).toMatchObject({ total: MAX_COUNTED, totalIsLowerBound: true });
  });

  it.each(SORTS)(
    'grows with the offset, so that a loop over offsets ends with the last entry, by %s',
    async (sort) => {
      const seen: string[] = [];
      let offset = MAX_COUNTED - COMMON.limit;
      for (;;) {
        const { agents, total, totalIsLowerBound } = await ask({ sort, offset });
        seen.push(...agents.map(({ agentId }) => agentId));
        offset += agents.length;
        expect(totalIsLowerBound).toBe(offset < MANY);
        expect(total).toBe(offset < MANY ? Math.max(MAX_COUNTED, offset + 1) : MANY);
        if (offset >= total) break;
      }

      expect(offset).toBe(MANY);
      expect(new Set(seen).size).toBe(MANY - MAX_COUNTED + COMMON.limit);
    },
  );

  it('beyond the last entry does not tell of more entries', async () => {
    const { agents, total, nextCursor } = await ask({ offset: MANY + 40 });

    expect({ agents, nextCursor }).toEqual({ agents: [], nextCursor: null });
    expect(total).toBe(MAX_COUNTED);
  });

  it('is not counted if the vocabulary has many times the limit, except with a filter', async () => {
    const { noting, sent } = noteStatements(database, 'count(*) AS count');
    const list = (input: Partial<ListInput>) => listAgents(noting, { ...COMMON, ...input });
    const setListings = (count: number) =>
      database.query("UPDATE search_word SET listings = $1 WHERE word = 'common'", [count]);
    await setListings(5 * MAX_COUNTED);
    try {
      for (const sort of SORTS)
        expect(await list({ sort })).toMatchObject({ total: MAX_COUNTED, totalIsLowerBound: true });
      expect(sent).toEqual([]);
      expect(await list({ category: 'creative' })).toMatchObject({ totalIsLowerBound: false });
      expect(sent).toHaveLength(1);
    } finally {
      await setListings(MANY);
    }
  });

  it('is counted by the ranking if that reads all matches', async () => {
    const { noting, sent } = noteStatements(database, 'count(*) AS count');
    const setListings = (count: number) =>
      database.query("UPDATE search_word SET listings = $1 WHERE word = 'frequent'", [count]);
    await setListings(1_000);
    try {
      const found = await listAgents(noting, { ...COMMON, sort: 'relevance', q: 'frequent' });

      expect(found).toMatchObject({ total: MAX_COUNTED, totalIsLowerBound: false });
      expect(sent).toEqual([]);
    } finally {
      await setListings(MAX_COUNTED);
    }
  });

  it.each(SORTS)(
    'is a lower bound on every page by cursor, and the last page has no cursor, by %s',
    async (sort) => {
      const { nextCursor: cursor } = await ask({ sort, offset: MANY - 60, limit: 20 });
      const { pages, ids } = await readToEnd(database, { ...COMMON, sort, cursor, limit: 20 });

      for (const page of pages) expect(page).toMatchObject({ total: MAX_COUNTED, totalIsLowerBound: true });
      expect(new Set(ids).size).toBe(40);
      expect(ids).toHaveLength(40);
    },
  );

  it.each([
    ['among the compared matches', 20, /count\(\*\) AS count/],
    ['behind them', 400, /count\(\*\) AS count|power\(/],
  ])('is carried by the cursor: a page %s does not count again', async (_where, offset, unwanted) => {
    for (const [q, totalIsLowerBound] of [
      ['frequent', false],
      ['common', true],
    ] as const) {
      const { nextCursor: cursor } = await ask({ sort: 'relevance', q, offset });
      const { noting, sent } = noteStatements(database, '');

      const page = await listAgents(noting, { ...COMMON, sort: 'relevance', q, cursor });

      expect(page).toMatchObject({ total: MAX_COUNTED, totalIsLowerBound });
      expect(page.agents).toHaveLength(COMMON.limit);
      expect(sent.filter(({ sql }) => unwanted.test(sql))).toEqual([]);
    }
  });

  it('is exact with a filter that few matches pass, also if the caller has incomplete counts', async () => {
    const counts = await countSearch(database, await matchOfCommon());
    const creative = Math.floor(MANY / 100);

    const search = await buildSearch(database, 'common');
    for (const known of [null, counts])
      expect(await listFound(database, { ...COMMON, category: 'creative' }, search, known)).toMatchObject({
        total: creative,
        totalIsLowerBound: false,
      });
  });

  it('is exact without search text, with any filter', async () => {
    expect(await ask({ q: null })).toMatchObject({ total: MANY + 1, totalIsLowerBound: false });
    expect(await ask({ q: null, tag: 'web' })).toMatchObject({ total: MANY, totalIsLowerBound: false });
    expect(await ask({ q: null, tag: 'web', category: 'data' })).toMatchObject({
      total: MANY - Math.floor(MANY / 100),
      totalIsLowerBound: false,
    });
  });
});

async function matchOfCommon(q = 'common') {
  return matchOf(await buildSearch(database, q), [], false);
}

describe('counts by filter', () => {
  it('are exact up to 10,000 matches, and told to be lower bounds above', async () => {
    const exact = await countSearch(database, await matchOfCommon('frequent'));
    const more = await countSearch(database, await matchOfCommon());

    expect(exact.isLowerBound).toBe(false);
    expect(countSelected(exact.found, {})).toBe(MAX_COUNTED);
    expect(countSelected(exact.found, { category: 'creative' })).toBe(MAX_COUNTED / 100);
    expect(more.isLowerBound).toBe(true);
    expect(countSelected(more.found, {})).toBe(MAX_COUNTED);
  });
});

it('the planner sees the words of a search only where many matches are expected', async () => {
  const by = Array.from({ length: 500 }, (_, at) => `'synonym${at}'`).join(' | ');
  const planOf = async (expected: number) => {
    const values = new BindParameters();
    const isFound = isMatch({ by, hasText: true, expected, counted: 0 }, values);
    const plan = await database.query(
      `EXPLAIN SELECT agent_id FROM listing_words WHERE ${isFound}`,
      values.list,
    );
    return JSON.stringify(plan);
  };

  expect(await planOf(MAX_COUNTED)).toContain('Bitmap Index Scan on listing_words_words');
  expect(await planOf(MAX_COUNTED + 1)).toContain('synonym499');
});

it('long texts are searched among the listings of their rarest words, and few matches are compared', async () => {
  const unknown = Array.from({ length: 14 }, (_, at) => `pasted${at}`).join(' ');
  const search = await buildSearch(database, `common frequent ${unknown}`);

  expect(search?.isLong).toBe(true);
  const match = matchOf(search, [], true);
  expect(match?.rarest?.words).toEqual(["'frequent'", "'common'"]);
  if (search === null || match === null) throw new Error('the search has no words');
  const common = await countSearch(database, { ...match, by: "'common'" });
  expect([countSelected(common.found, {}), common.isLowerBound]).toEqual([MAX_COUNTED, false]);
  const absent = await countSearch(database, { ...match, by: "'absent'" });
  expect(countSelected(absent.found, {})).toBe(0);
  const { ranked } = await rankMatches(database, { search, match: matchAny(search), filters: () => [] });
  expect(ranked).toHaveLength(24);

  await makeListing(database, { name: search.text.replaceAll(' ', '') });
  const named = await countSearch(database, { ...match, by: search.named });
  expect(countSelected(named.found, {})).toBe(1);
});

it('long texts are searched one at a time', async () => {
  let running = 0;
  let most = 0;
  const query: Database['query'] = async (sql, bind) => {
    const isSearch = sql.includes('FROM listing_words');
    if (!isSearch) return database.query(sql, bind);
    running += 1;
    most = Math.max(most, running);
    try {
      return await database.query(sql, bind);
    } finally {
      running -= 1;
    }
  };
  const words = Array.from({ length: 14 }, (_, at) => `pasted${at}`).join(' ');
  const texts = Array.from({ length: 4 }, (_, at) => `frequent${at} ${words}`);

  await Promise.all(
    texts.map((q) => listAgents({ ...database, query }, { ...COMMON, q, sort: 'relevance' })),
  );

  expect(most).toBe(1);
});

describe('a list by verdict', () => {
  it('has an exact total, and facets of at most 10,000 entries, counted only for what is asked', async () => {
    await database.query(
      "UPDATE listing_rank SET verdict = 'little_evidence', reasons = '{}' WHERE trust IS NOT NULL",
    );
    const { noting, sent } = noteStatements(database, 'count(*) AS count');
    const list = (input: Partial<ListInput>) =>
      listWithFacets(noting, { ...WHOLE_LIST, verdict: 'little_evidence', limit: 5, ...input }, ['category']);

    const { facets, ...page } = await list({});
    const statements = sent.length;
    const tagged = await list({ tag: 'web' });

    expect(page).toMatchObject({ total: MANY, totalIsLowerBound: false });
    expect(facets.category?.every(({ isLowerBound }) => isLowerBound)).toBe(true);
    expect(facets.category?.reduce((sum, { count }) => sum + count, 0)).toBe(MAX_COUNTED);
    expect(tagged).toMatchObject({ total: MANY, totalIsLowerBound: false });
    expect([statements, sent.length]).toEqual([1, 3]);
  });
});
