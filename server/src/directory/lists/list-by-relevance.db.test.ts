import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeCreator, makeListing, makeScore } from '../../../testing/subjects/registry.factory.ts';
import { parseSynonyms } from '../../catalog/listings/synonyms.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { readPage } from './list-agents.queries.ts';
import { type ListInput, listAgents } from './list-agents.ts';
import { listByRelevance, readFewRanked, readRanked } from './list-by-relevance.queries.ts';
import { pageSearch } from './list-query.ts';

const CHOICE = { type: null, verified: null, tier: null, category: null, kind: null };
const LIST: ListInput = { ...CHOICE, q: null, sort: 'relevance', limit: 100, offset: 0, cursor: null };

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase({ outdatedCopies: true });
  database = test.database;
});
afterAll(() => test.close());

async function inOwnDatabase(work: (connection: Connection) => Promise<void>): Promise<void> {
  const own = await createTestDatabase({ outdatedCopies: true });
  try {
    await work(own.database);
  } finally {
    await own.close();
  }
}

describe('a search by relevance', () => {
  it('sorts by class, then by doublings of stars, then by trust, then by id', () =>
    inOwnDatabase(async (connection) => {
      const maker = await makeCreator(connection, { handle: 'paint-robotics' });
      const make = (name: string, input: object = {}) => makeListing(connection, { name, ...input });
      await make('gallery', { description: 'to paint robots', stars: 90_000 });
      await make('easel', { creator: maker, stars: 50_000 });
      await make('brush', { tags: ['paint-robot'], stars: 40_000 });
      await make('my robot that can paint', { stars: 30_000 });
      await make('paint robot studio', { stars: 20_000 });
      await make('paint-robot', { stars: 1_000 });
      const trusted = await make('PaintRobot', { stars: 2_040 });
      await make('paint_robot', { stars: 1_030 });
      await makeScore(connection, trusted, { trust: 60, confidence: 10 });

      const { agents, total } = await listAgents(connection, { ...LIST, q: 'Paint Robot' });

      expect(agents.map(({ name }) => name)).toEqual([
        'PaintRobot',
        'paint_robot',
        'paint-robot',
        'paint robot studio',
        'my robot that can paint',
        'brush',
        'easel',
        'gallery',
      ]);
      expect(total).toBe(8);
    }));

  it('finds owner/repository, stems, synonyms, joined and split words, and parts of text without spaces', async () => {
    await makeListing(database, { name: 'Scrapling', repository: 'd4vinci/scrapling' });
    await makeListing(database, { name: 'browser-use', repository: 'browser-use/browser-use' });
    await makeListing(database, { name: 'claudecode', repository: 'someone/claudecode' });
    await makeListing(database, { name: 'kubernetes-operator' });
    await makeListing(database, { name: '飞书数据库助手' });
    await makeListing(database, { name: 'a database helper', description: '书飞' });
    const synonyms = parseSynonyms('[["k8s", "kubernetes"]]', 'a test');
    const first = async (q: string) =>
      (await listAgents(database, { ...LIST, q, synonyms })).agents.map(({ name }) => name);

    expect(await first('scrape')).toEqual(['Scrapling']);
    expect(await first('D4vinci/Scrapling')).toEqual(['Scrapling']);
    expect(await first('browseruse')).toEqual(['browser-use']);
    expect(await first('claude code')).toEqual(['claudecode']);
    expect(await first('k8s operators')).toEqual(['kubernetes-operator']);
    expect(await first('数据库')).toEqual(['飞书数据库助手']);
    expect(await first('飞书')).toEqual(['飞书数据库助手']);
  });

  it('adds a corrected spelling if the text finds nothing or too little, and reports it', async () => {
    await makeListing(database, { name: 'LangGraph', stars: 9_000 });
    await makeListing(database, { name: 'mcp-playwright', stars: 5_000 });
    await makeListing(database, { name: 'elsewhere', description: 'mps for playwrights' });
    await makeListing(database, { name: 'observatory', tags: ['telescope'] });
    const ask = async (q: string, sort: ListInput['sort'] = 'relevance') => {
      const { agents, total, didYouMean } = await listAgents(database, { ...LIST, q, sort });
      return { names: agents.map(({ name }) => name), total, didYouMean };
    };

    expect(await ask('langgrph')).toEqual({ names: ['LangGraph'], total: 1, didYouMean: 'LangGraph' });
    expect(await ask('mp-playwright')).toEqual({
      names: ['mcp-playwright', 'elsewhere'],
      total: 2,
      didYouMean: 'mcp-playwright',
    });
    expect(await ask('observatory telesocpe')).toMatchObject({
      total: 1,
      didYouMean: 'observatory telescope',
    });
    expect(await ask('langgraph')).toMatchObject({ total: 1, didYouMean: null });
    expect(await ask('langgrph', 'score_desc')).toEqual({ names: [], total: 0, didYouMean: null });
    expect(await ask('qqqqqqqq')).toEqual({ names: [], total: 0, didYouMean: null });
    expect(await ask('!!!')).toEqual({ names: [], total: 0, didYouMean: null });
  });

  it('never suggests a spelling without matches', async () => {
    const gone = await makeListing(database, { name: 'zeppelins' });
    expect((await listAgents(database, { ...LIST, q: 'zepelins' })).didYouMean).toBe('zeppelins');

    await database.query('DELETE FROM listing_words WHERE subject_id = $1', [gone.id]);

    expect((await listAgents(database, { ...LIST, q: 'zepelins' })).didYouMean).toBeNull();
  });

  it('sorts by trust without search text', async () => {
    const [relevance, trust] = await Promise.all(
      (['relevance', 'score_desc'] as const).map((sort) => listAgents(database, { ...LIST, sort, limit: 2 })),
    );

    expect(relevance).toEqual(trust);
  });
});

it('prefers the more popular correction among those one edit away', async () => {
  await inOwnDatabase(async (own) => {
    await makeListing(own, { name: 'codepro', stars: 3 });
    await makeListing(own, { name: 'codexpro', stars: 900 });

    const { agents, didYouMean } = await listAgents(own, { ...LIST, q: 'codxepro' });

    expect(didYouMean).toBe('codexpro');
    expect(agents.map(({ name }) => name)).toEqual(['codexpro']);
  });
});

it('suggests nothing for the address of a listing', async () => {
  await inOwnDatabase(async (own) => {
    await makeListing(own, { repository: 'acme/robot', name: 'Another name' });
    await makeListing(own, { repository: 'acne/robot', name: 'acnerobot' });
    const sent: string[] = [];
    const watched: Connection = {
      ...own,
      query: (sql, bind) => {
        sent.push(sql);
        return own.query(sql, bind);
      },
    };

    const { didYouMean, total } = await listAgents(watched, { ...LIST, q: 'acme/robot' });

    expect({ didYouMean, total }).toEqual({ didYouMean: null, total: 1 });
    expect(sent.filter((sql) => /search_spelling|near_spellings/.test(sql))).toEqual([]);
  });
});

describe('many matches', () => {
  const MANY = 60;
  const BOUNDS = { ranked: 10, whole: 20, popular: 30 };

  beforeAll(async () => {
    for (let index = 0; index < MANY; index += 1) {
      await makeListing(database, {
        name: index % 3 === 0 ? `Common ${index}` : `Rare ${index}`,
        description: 'common ground',
        category: index % 2 === 0 ? 'data' : 'coding',
        stars: (index * 37) % 1_000,
      });
    }
    await database.query('VACUUM ANALYZE listing_words');
  }, 60_000);

  const read = (
    offset: number,
    limit: number,
    after: Parameters<typeof listByRelevance>[1]['after'] = null,
  ) => pageOf(database, { offset, limit }, after);

  async function pageOf(
    connection: Connection,
    window: { offset: number; limit: number },
    after: Parameters<typeof listByRelevance>[1]['after'] = null,
    bounds = BOUNDS,
  ) {
    const search = pageSearch({ q: 'common' }) ?? {
      all: '',
      by: '',
      classes: [],
      filterTerms: [],
      hasWords: true,
    };
    const page = { search, found: MANY, selection: CHOICE, total: MANY, after, window, bounds };
    const behind = {
      ...CHOICE,
      sort: 'relevance',
      search: { ...search, plan: { by: 'words' } },
    } as const;
    return listByRelevance(
      connection,
      page,
      async (keyRanges, rest) => (await readPage(connection, behind, keyRanges, rest)).rows,
    );
  }

  it('are paged by offset and by cursor without gap or repeat, ranked ones first', async () => {
    const whole = (await read(0, 100)).map(({ agentId }) => agentId);
    expect(new Set(whole).size).toBe(MANY);

    const byOffset = [];
    for (let offset = 0; offset < MANY; offset += 7) byOffset.push(...(await read(offset, 7)));
    expect(byOffset.map(({ agentId }) => agentId)).toEqual(whole);

    const byCursor: string[] = [];
    let after: Parameters<typeof read>[2] = null;
    for (;;) {
      const rows: Awaited<ReturnType<typeof read>> = await read(0, 7, after);
      const last = rows.at(-1);
      if (!last) break;
      byCursor.push(...rows.map(({ agentId }) => agentId));
      after = {
        place: last.place,
        popularity: Number(last.cursorKey),
        agentId: last.agentId,
      };
    }
    expect(byCursor).toEqual(whole);
  });

  it('start with matches by name, although most matches are descriptions', async () => {
    const ranked = (await read(0, BOUNDS.ranked)).map(({ name }) => name);

    expect(ranked.every((name) => name.startsWith('Common'))).toBe(true);
  });

  it('are read only within the bounds', async () => {
    const most = await readBy((connection) => pageOf(connection, { offset: 0, limit: 5 }));

    expect(most).toBeLessThan(400);
  });

  it('are ranked the same by a single index query if they are few', async () => {
    const bounds = { ranked: 30, whole: 200, popular: 200 };
    for (const q of ['common', 'common ground', 'rare', 'common 1', 'nothing'])
      for (const selection of [CHOICE, { ...CHOICE, category: 'data' }]) {
        const search = pageSearch({ q }) ?? { all: '', by: '', classes: [], filterTerms: [], hasWords: true };
        const few = await readFewRanked(database, search, selection, bounds);
        expect(few).toEqual(await readRanked(database, search, selection, bounds));
        expect(few.length > 0).toBe(q !== 'nothing');
      }

    const asked = await questionsBy((connection) =>
      pageOf(connection, { offset: 0, limit: 5 }, null, bounds),
    );
    expect(asked).toBe(1);
  });

  it('respect filters, with an exact total', async () => {
    const input = { ...LIST, q: 'common', category: 'data', limit: 7 };
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof listAgents>> = await listAgents(database, { ...input, cursor });
      expect(page.total).toBe(MANY / 2);
      seen.push(...page.agents.map(({ agentId }) => agentId));
      cursor = page.nextCursor;
    } while (cursor !== null);

    expect(new Set(seen).size).toBe(MANY / 2);
    expect(seen).toHaveLength(MANY / 2);
  });
});

/** Counts the scans of the word index. Sequential scans of the few rows are off. */
function questionsBy(work: (connection: Connection) => Promise<unknown>): Promise<number> {
  return countBy("SELECT pg_stat_get_xact_numscans('listing_words_words'::regclass)::int AS count", work);
}

/** Counts the rows and index entries read by searches. */
function readBy(work: (connection: Connection) => Promise<unknown>): Promise<number> {
  return countBy(
    `SELECT sum(pg_stat_get_xact_tuples_returned(oid))::int AS count FROM pg_class
     WHERE oid = 'listing_words'::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'listing_words'::regclass)`,
    work,
  );
}

function countBy(sql: string, work: (connection: Connection) => Promise<unknown>): Promise<number> {
  return inTransaction(database, async (connection) => {
    await connection.query('SET LOCAL enable_seqscan = off');
    const soFar = async () => (await connection.query<{ count: number }>(sql))[0]?.count ?? 0;
    const before = await soFar();
    await work(connection);
    return (await soFar()) - before;
  });
}
