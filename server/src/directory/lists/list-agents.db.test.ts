import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { idsOf, readToEnd, WHOLE_LIST } from '../../../testing/directory/whole-list.ts';
import { makeCreator, makeListing, makeScore } from '../../../testing/subjects/registry.factory.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import { type ListInput, listAgents } from './list-agents.ts';

const SORTS = ['score_desc', 'score_asc', 'name'] as const;
const SCORES: ([number, number] | null)[] = [
  [31.1, 11.3],
  [31.1, 11.3],
  null,
  [60, 50],
  [31.1, 40],
  [26, 11.3],
  null,
];
const CATEGORIES = ['coding', 'data', 'other'];

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  await fill(database, 33);
});
afterAll(() => test.close());

/** Creates listings with many equal scores and names, and some without a score. */
async function fill(connection: Connection, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    const listing = await makeListing(connection, {
      name: ['Robot', 'robot', 'Atlas', 'Éclair', 'zebra'][index % 5] ?? '',
      category: CATEGORIES[index % 3] ?? 'other',
      verified: index % 4 === 0,
    });
    const score = SCORES[index % SCORES.length] ?? null;
    const tier = index % 6 === 0 ? 'medium' : 'low';
    if (score) await makeScore(connection, listing, { trust: score[0], confidence: score[1], tier });
  }
}

function list(input: Partial<ListInput> = {}) {
  return listAgents(database, { ...WHOLE_LIST, ...input });
}

/** Sorts as specified: trust, confidence, id; entries without a score last. */
function bestFirst(a: AgentRecord, b: AgentRecord): number {
  const trust = (b.trust ?? -1) - (a.trust ?? -1);
  const confidence = (b.confidence ?? -1) - (a.confidence ?? -1);
  return trust || confidence || (a.agentId < b.agentId ? -1 : 1);
}

describe('order', () => {
  it('is best trust first, then confidence, then id, and without a score last', async () => {
    const { agents } = await list();

    const scores = agents.map(({ trust, confidence }) => [trust, confidence]);
    expect(scores.slice(0, 5)).toEqual([...Array(5).fill([60, 50])]);
    expect(agents.at(-1)?.trust).toBeNull();
    expect(idsOf(agents)).toEqual(idsOf([...agents].sort(bestFirst)));
  });

  it('is reversed for score_asc, with entries without a score still last', async () => {
    const { agents } = await list({ sort: 'score_asc' });

    expect(agents[0]).toMatchObject({ trust: 26 });
    expect(agents.at(-1)?.trust).toBeNull();
    const scored = (all: AgentRecord[]) => idsOf(all.filter(({ trust }) => trust !== null));
    expect(scored(agents)).toEqual(scored((await list()).agents).reverse());
  });

  it('goes by name without regard to case, then by id', async () => {
    const { agents } = await list({ sort: 'name' });

    const keys = agents.map(({ name, agentId }) => `${name.toLowerCase()} ${agentId}`);
    expect(keys).toEqual([...keys].sort());
    expect(agents[0]?.name).toBe('Atlas');
  });
});

describe('paging', () => {
  it.each(SORTS)('by offset is a slice of the whole list at every place, sorted by %s', async (sort) => {
    const whole = idsOf((await list({ sort })).agents);

    for (let offset = 0; offset <= whole.length + 1; offset += 1) {
      const page = await list({ sort, offset, limit: 4 });
      expect(idsOf(page.agents)).toEqual(whole.slice(offset, offset + 4));
      expect(page.total).toBe(33);
      expect(page.nextCursor === null).toBe(offset + 4 >= whole.length);
    }
  });

  it.each(SORTS)('by cursor gives every entry once and in order, sorted by %s', async (sort) => {
    const whole = idsOf((await list({ sort })).agents);

    for (const limit of [1, 2, 5, 32, 33, 100])
      expect((await readToEnd(database, { sort, limit })).ids).toEqual(whole);
  });

  it('by cursor continues a page that was found by offset', async () => {
    const whole = idsOf((await list()).agents);

    const { nextCursor } = await list({ offset: 10, limit: 5 });

    expect(idsOf((await list({ cursor: nextCursor, limit: 5 })).agents)).toEqual(whole.slice(15, 20));
  });

  it('by cursor ignores the offset', async () => {
    const whole = idsOf((await list()).agents);
    const { nextCursor: cursor } = await list({ limit: 10 });

    for (const offset of [1, 7, 33, 1000]) {
      const page = await list({ cursor, offset, limit: 5 });

      expect({ offset, ids: idsOf(page.agents), total: page.total }).toEqual({
        offset,
        ids: whole.slice(10, 15),
        total: 33,
      });
      expect(page.nextCursor).not.toBeNull();
    }
  });
});

describe('paging while the directory changes', () => {
  it.each(SORTS)('neither repeats nor skips unchanged entries, sorted by %s', async (sort) => {
    const own = await createTestDatabase();
    try {
      await fill(own.database, 20);
      const before = idsOf((await listAgents(own.database, { ...WHOLE_LIST, sort })).agents);
      const read: string[] = [];
      let cursor: string | null = null;
      do {
        const page = await listAgents(own.database, { ...WHOLE_LIST, sort, limit: 3, cursor });
        read.push(...idsOf(page.agents));
        cursor = page.nextCursor;
        const newcomer = await makeListing(own.database, { name: 'aaa' });
        await makeScore(
          own.database,
          newcomer,
          sort === 'score_asc' ? { trust: 1, confidence: 1 } : { trust: 99, confidence: 99 },
        );
      } while (cursor !== null);

      expect(read).toEqual(before);
    } finally {
      await own.close();
    }
  });
});

describe('filters', () => {
  it('find an entry in its new tier as soon as it is scored', async () => {
    const own = await createTestDatabase();
    try {
      const listing = await makeListing(own.database);
      await makeScore(own.database, listing, { trust: 80, confidence: 80, tier: 'high' });

      expect((await listAgents(own.database, { ...WHOLE_LIST, tier: 'high' })).total).toBe(1);
      expect((await listAgents(own.database, { ...WHOLE_LIST, tier: 'low' })).total).toBe(0);
    } finally {
      await own.close();
    }
  });
});

/** A page without entries. */
const NOTHING = {
  agents: [],
  totalIsLowerBound: false,
  nextCursor: null,
  didYouMean: null,
  ignoredWords: [],
  terms: [],
  nearest: [] as unknown,
  nearestBy: null as string | null,
};

describe('search', () => {
  let own: TestDatabase;
  const find = async (q: string) =>
    (await listAgents(own.database, { ...WHOLE_LIST, q, sort: 'name' })).agents.map((agent) => agent.name);

  beforeAll(async () => {
    own = await createTestDatabase();
    const creator = await makeCreator(own.database, { handle: 'carto-labs' });
    await makeListing(own.database, {
      name: 'Map Maker',
      description: 'Draws maps & routes (offline)',
      creator,
    });
    await makeListing(own.database, { name: 'Weather', description: 'Tells the weather' });
    await makeListing(own.database, { name: '地図作成', description: "It's naïve" });
  });
  afterAll(() => own.close());

  it.each([
    ['map', ['Map Maker']],
    ['MAKER map', ['Map Maker']],
    ['mak', ['Map Maker']],
    ['map weather', []],
    ['carto', ['Map Maker']],
    ['地図', ['地図作成']],
    ['naïve', ['地図作成']],
    ['offline', ['Map Maker']],
    ['nothing-here', []],
  ])('for %s finds %j', async (q, expected) => {
    expect(await find(q)).toEqual(expected);
  });

  it.each(['&', '!', '|', ':*', "'", '\\', '%', '()', '<->', '*', '"'])(
    'matches nothing for %s, which is not a word',
    async (q) => {
      const found = await listAgents(own.database, { ...WHOLE_LIST, q });

      expect(found).toEqual({ ...NOTHING, total: 0, nearest: found.nearest, nearestBy: 'popularity' });
      expect(found.nearest).toHaveLength(3);
    },
  );

  it.each(["map'", 'map:*', '!map', 'map | x', 'map & maker', '(map', "map'); DROP TABLE listing; --"])(
    'treats no character of %s as an operator',
    async (q) => {
      await expect(find(q)).resolves.toBeInstanceOf(Array);
      expect((await find('map')).length).toBe(1);
      expect(await find('!weather')).toEqual(['Weather']);
    },
  );

  it('counts all matches on every page', async () => {
    const found = await listAgents(own.database, { ...WHOLE_LIST, q: 'w', limit: 1, offset: 5 });

    expect(found).toEqual({ ...NOTHING, total: 1, terms: [expect.objectContaining({ word: 'w' })] });
  });
});
