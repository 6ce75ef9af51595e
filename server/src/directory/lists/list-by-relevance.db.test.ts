import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { idsOf, matchesOf, readToEnd, WHOLE_LIST } from '../../../testing/directory/whole-list.ts';
import { countReads } from '../../../testing/read-rows.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import { recountVocabulary } from '../../catalog/listings/refresh-vocabulary.ts';
import { refreshSearch } from '../../catalog/listings/write-listings.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import type { BindParameters } from '../../platform/database/send-statement.ts';
import { trackDependencies } from '../../platform/database/tracked-dependencies.ts';
import { RANK_BOUNDS, type RankBounds, rankMatches } from '../search/rank-matches.queries.ts';
import { type Finding, filterConditions, type PageWindow, readPage } from './list-agents.queries.ts';
import { type ListInput, listAgents } from './list-agents.ts';
import { listByRelevance, type PlacedRow, type RelevancePosition } from './list-by-relevance.ts';

const LIST: ListInput = { ...WHOLE_LIST, sort: 'relevance' };
const MANY = 60;
/** Listings that a search for `twin` finds; 15 of them have just this name. */
const TWINS = 40;
/**
 * Bounds that compare only few matches. `FEW` reads them from the word index, `POPULAR` from the most popular listings.
 */
const FEW: RankBounds = { compared: 20, read: 1_000, popular: 30, enough: 5 };
const POPULAR: RankBounds = { ...FEW, read: 0 };
const WAYS = [FEW, POPULAR].flatMap((bounds) => (['words', 'rank'] as const).map((by) => ({ bounds, by })));

type After = RelevancePosition | null;

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
  for (let index = 0; index < MANY; index += 1) {
    await makeListing(database, {
      name: index % 3 === 0 ? `Common ${index}` : `Rare ${index}`,
      description: 'common ground',
      category: index % 2 === 0 ? 'data' : 'coding',
      stars: (index * 37) % 1_000,
    });
  }
  for (let index = 0; index < TWINS; index += 1) {
    await makeListing(database, {
      name: index < 15 ? 'Twin' : `Twin ${index}`,
      description: 'many of a kind',
      stars: (index * 29) % 1_000,
    });
  }
  await recountVocabulary(database);
  await database.query('VACUUM ANALYZE listing_words');
}, 60_000);
afterAll(() => test.close());

interface Way {
  bounds: RankBounds;
  by: Finding;
}

async function read(
  { bounds, by }: Way,
  window: PageWindow,
  after: After = null,
  connection: Connection = database,
  q = 'common',
): Promise<PlacedRow[]> {
  const matches = { ...(await matchesOf(database, q)), bounds };
  const ranking = after !== null && after.place === null ? null : await rankMatches(connection, matches);
  const others = { sort: 'relevance', search: { match: matches.match, by } } as const;
  return listByRelevance(
    connection,
    matches,
    { ranking, after, window },
    async (keyRanges, rest) => (await readPage(connection, others, keyRanges, rest)).rows,
  );
}

describe('many matches', () => {
  it.each(
    WAYS.flatMap((way) => [
      { ...way, q: 'common', found: MANY },
      { ...way, q: 'twin', found: TWINS },
      { ...way, q: 'twin', found: TWINS, bounds: { ...way.bounds, compared: 6 } },
    ]),
  )(
    'are paged by offset and by cursor without gap or repeat, compared ones first: %j',
    async ({ q, found, ...way }) => {
      const whole = idsOf(await read(way, { offset: 0, limit: 100 }, null, database, q));
      expect(new Set(whole).size).toBe(found);

      const byOffset = [];
      for (let offset = 0; offset < found; offset += 7)
        byOffset.push(...(await read(way, { offset, limit: 7 }, null, database, q)));
      expect(idsOf(byOffset)).toEqual(whole);

      const byCursor: string[] = [];
      let after: After = null;
      for (;;) {
        const rows = await read(way, { offset: 0, limit: 7 }, after, database, q);
        const last = rows.at(-1);
        if (!last) break;
        byCursor.push(...idsOf(rows));
        after = { place: last.place, popularity: Number(last.cursorKey), agentId: last.agentId };
      }
      expect(byCursor).toEqual(whole);
    },
  );

  it('are the same whether their rest is found by the word index or by popularity', async () => {
    for (const bounds of [FEW, POPULAR]) {
      const [words, rank] = await Promise.all(
        (['words', 'rank'] as const).map((by) => read({ bounds, by }, { offset: 5, limit: 40 })),
      );
      expect(words).toEqual(rank);
    }
  });

  it('start with matches by name among those compared, and end by popularity', async () => {
    const rows = await read({ bounds: FEW, by: 'words' }, { offset: 0, limit: 100 });

    expect(rows.slice(0, 6).every(({ name }) => name.startsWith('Common'))).toBe(true);
    const rest = rows.filter(({ place }) => place === null).map(({ cursorKey }) => Number(cursorKey));
    expect(rest).toHaveLength(MANY - FEW.compared);
    expect(rest).toEqual([...rest].sort((one, other) => other - one));
  });

  it('are all read if too few of the most popular listings match', async () => {
    const matches = await matchesOf(database, 'rare');
    const ranked = async (enough: number) => {
      const bounds = { compared: 20, read: 30, popular: 5, enough };
      return (await rankMatches(database, { ...matches, bounds })).ranked.length;
    };

    expect(await ranked(1)).toBeLessThanOrEqual(5);
    expect(await ranked(10)).toBe(20);
  });

  it.each([
    ['one before moves behind them', 0, 'popularity = 0'],
    ['the last one shown is gone', 6, "words = ''"],
  ])('are shown once by cursor although %s', async (_change, place, change) => {
    const input = { ...LIST, q: 'common', limit: 7 };
    const first = await listAgents(database, input);
    const changed = first.agents[place];
    if (changed === undefined) throw new Error('the page has too few entries');
    await database.query(`UPDATE listing_words SET ${change} WHERE agent_id = $1`, [changed.agentId]);
    try {
      const next = await listAgents(database, { ...input, cursor: first.nextCursor, limit: 100 });
      const seen = idsOf([...first.agents, ...next.agents]).filter((id) => id !== changed.agentId);

      expect(new Set(seen).size).toBe(MANY - 1);
      expect(seen).toHaveLength(MANY - 1);
    } finally {
      await refreshSearch(database, [changed.subjectId]);
    }
  });

  it('are read only within the bounds', async () => {
    const way = { bounds: POPULAR, by: 'rank' } as const;
    // The planner would otherwise prefer sequential scans for so few rows.
    const most = await countReads(
      database,
      ['listing_words'],
      (connection) => read(way, { offset: 0, limit: 5 }, null, connection),
      'SET LOCAL enable_seqscan = off',
    );

    expect(most).toBeLessThan(150);
  });

  it('are all dependencies of a page as far as they are ranked, because another one of them may come to be shown', async () => {
    const matches = { ...(await matchesOf(database, 'common')), bounds: FEW };
    const { connection, record } = trackDependencies(database);

    const { ranked } = await rankMatches(connection, matches);

    expect(ranked).toHaveLength(FEW.compared);
    expect([...record.ids]).toEqual(expect.arrayContaining(ranked.map(({ subjectId }) => subjectId)));
  });

  it('are ranked the same from the word index and from the most popular listings, if these hold all', async () => {
    const bounds = { compared: 100, read: 1_000, popular: 1_000, enough: 0 };
    for (const q of ['common', 'common ground', 'rare', 'common 36', 'nothing'])
      for (const selection of [{}, { category: 'data' }]) {
        const filters = (values: BindParameters) => filterConditions(selection, values);
        const matches = { ...(await matchesOf(database, q)), filters };
        const few = await rankMatches(database, { ...matches, bounds });
        const many = await rankMatches(database, { ...matches, bounds: { ...bounds, read: 0 } });
        expect(few.ranked, q).toEqual(many.ranked);
        expect(few.ranked.length > 0).toBe(q !== 'nothing');
      }
  });

  it('respect filters, with an exact total', async () => {
    const input = { ...LIST, q: 'common', category: 'data', limit: 7 };
    const { pages, ids } = await readToEnd(database, input);

    for (const page of pages) expect(page).toMatchObject({ total: MANY / 2, totalIsLowerBound: false });
    expect(new Set(ids).size).toBe(MANY / 2);
    expect(ids).toHaveLength(MANY / 2);
  });
});

it.each([1_000, 0])(
  'equal entries are sorted by id, whatever order they were stored in: %i read',
  async (read) => {
    const made: string[] = [];
    for (const digit of [5, 2, 8, 1, 9, 4]) {
      const { id } = await makeListing(database, { name: `Paint${read} robot${read}`, stars: 40 });
      const agentId = `AGT-SAME${read === 0 ? 0 : 1}00${digit}`;
      for (const table of ['listing_words', 'listing_rank', 'listing_order', 'listing'])
        await database.query(`UPDATE ${table} SET agent_id = $2 WHERE subject_id = $1`, [id, agentId]);
      made.push(agentId);
    }

    const matches = await matchesOf(database, `paint${read} robot${read}`);
    const { ranked } = await rankMatches(database, { ...matches, bounds: { ...RANK_BOUNDS, read } });

    expect(idsOf(ranked)).toEqual(made.sort());
  },
);

it('without search text, sorts by trust', async () => {
  const [relevance, trust] = await Promise.all(
    (['relevance', 'score_desc'] as const).map((sort) => listAgents(database, { ...LIST, sort, limit: 2 })),
  );

  expect(relevance).toEqual(trust);
});
