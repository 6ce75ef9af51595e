import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeManyListings } from '../../../testing/directory/make-many-listings.ts';
import { makeListing } from '../../../testing/subjects/registry.factory.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { createAskedSearches } from './asked-searches.ts';
import { countSearch } from './count-by-filter.ts';
import { keyRangesOf } from './cursor.ts';
import { NO_FILTERS } from './filters.ts';
import { keepAskedTotals, keepCommonTotals } from './keep-search-totals.ts';
import { readPage } from './list-agents.queries.ts';
import { type ListInput, listAgents } from './list-agents.ts';
import { planSearch, type SearchPlan } from './search-plan.ts';
import { SORTS } from './sorts.ts';

const MANY = 3_000;
/** The search with stored matches. */
const LATER = "'later':*";
const PLANNED = ['score_desc', 'score_asc', 'name'] as const;
const ALL_OF = { type: null, verified: null, tier: null, category: null, kind: null };
const LIST: ListInput = { ...ALL_OF, q: null, sort: 'score_desc', limit: 10, offset: 0, cursor: null };
const WAYS: SearchPlan[] = [
  { by: 'words' },
  { by: 'ids' },
  { by: 'filters' },
  { by: 'index-scan', most: MANY + 1 },
  { by: 'hash-filter', most: MANY + 1 },
  { by: 'hash-filter', most: MANY + 1, isCached: true },
];
/** Plans whose limit is reached before the scan meets any match, or after a few. */
const GIVEN_UP = [1, 40, 500].flatMap((most) => [
  { by: 'index-scan', most } as const,
  { by: 'hash-filter', most } as const,
  { by: 'hash-filter', most, isCached: true } as const,
]);
/** Maximum rows for a page of ten, including those checked on the way. */
const MOST_READ = 150;

let test: TestDatabase;
let database: Database;

/**
 * Every listing is `common`; the last ones by name and by score are `latter`, `later` and `last`; every hundredth has
 * no score.
 */
beforeAll(async () => {
  test = await createTestDatabase({ outdatedCopies: true });
  database = test.database;
  const listing = await makeListing(database, { name: 'aaa' });
  await makeManyListings(database, listing.id, MANY, {
    words: `'common' || CASE WHEN n > ${MANY * 0.6} THEN ' latter' ELSE '' END || CASE WHEN n > ${MANY * 0.9} THEN ' later' ELSE '' END
      || CASE WHEN n > ${MANY * 0.98} THEN ' last' ELSE '' END`,
    category: "CASE WHEN n % 50 = 0 THEN 'creative' ELSE 'data' END",
    trust: `CASE WHEN n % 100 = 0 THEN NULL ELSE 90 - n / ${MANY / 50} END`,
  });
  await database.query('VACUUM ANALYZE listing, listing_rank, listing_words, listing_total');
  const never = new AbortController().signal;
  await keepCommonTotals(database, never);
  const asked = createAskedSearches();
  asked.note(LATER, MANY);
  await keepAskedTotals(database, asked, never);
}, 120_000);
afterAll(() => test.close());

/** Counts the rows and index entries that searches read. */
async function readBy(
  work: (connection: Connection) => Promise<unknown>,
  of: readonly string[] = ['listing_rank', 'listing_words'],
): Promise<number> {
  return inTransaction(database, async (connection) => {
    const soFar = async () => {
      const [row] = await connection.query<{ read: number }>(
        `SELECT sum(pg_stat_get_xact_tuples_returned(oid))::int AS read FROM pg_class
         WHERE oid = ANY ($1::regclass[]) OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = ANY ($1::regclass[]))`,
        [of],
      );
      return row?.read ?? 0;
    };
    const before = await soFar();
    await work(connection);
    return (await soFar()) - before;
  });
}

describe('search plans', () => {
  it.each(PLANNED.flatMap((sort) => [null, 'data', 'creative'].map((category) => ({ sort, category }))))(
    'find the same page, from the start, by offset and by cursor: %j',
    async ({ sort, category }) => {
      for (const q of ['common', 'later']) {
        const input = { ...LIST, q, sort, category };
        const { total } = await listAgents(database, input);
        const filters = { ...ALL_OF, sort, category };
        const page = async (plan: SearchPlan, offset: number, after: Parameters<typeof keyRangesOf>[1]) => {
          const search = { all: `'${q}':*`, by: `'${q}':*`, plan };
          const window = { offset, limit: 8 };
          return (await readPage(database, { ...filters, search }, keyRangesOf(sort, after), window)).rows;
        };
        for (const offset of [0, 3, 25]) {
          const [one, ...others] = await Promise.all(WAYS.map((plan) => page(plan, offset, null)));
          expect(one).toHaveLength(Math.max(0, Math.min(8, total - offset)));
          for (const other of others) expect(other).toEqual(one);
          const last = one?.at(-1);
          if (!last) continue;
          const { agentId } = last;
          const after = { keys: SORTS[sort].keysOf(last), agentId };
          const [next, ...others2] = await Promise.all(WAYS.map((plan) => page(plan, 0, after)));
          for (const other of others2) expect(other).toEqual(next);
          expect(next?.map((row) => row.agentId)).not.toContain(agentId);
        }
      }
    },
  );

  it.each(PLANNED)(
    'return the beginning of the page if a scan reaches its limit, and nothing beyond unchecked entries, by %s',
    async (sort) => {
      const read = async (plan: SearchPlan, after: Parameters<typeof keyRangesOf>[1]) => {
        const search = { all: "'last':*", by: "'last':*", plan };
        const window = { offset: 0, limit: 59 };
        return (await readPage(database, { ...ALL_OF, sort, search }, keyRangesOf(sort, after), window)).rows;
      };
      const [first] = await read({ by: 'words' }, null);
      // From the middle of the order, with ties before it and entries without a score after it.
      const keys = [sort === 'score_asc' ? 31 : 80, 10];
      const middle = sort === 'name' ? null : { keys, agentId: 'AGT-80000001' };
      for (const after of [null, middle]) {
        const whole = await read({ by: 'words' }, after);
        for (const plan of GIVEN_UP) {
          const rows = await read(plan, after);
          expect(rows, JSON.stringify(plan)).toEqual(whole.slice(0, rows.length));
        }
      }
      expect(first).toBeDefined();
    },
  );

  it.each(PLANNED)('read little more than the page if most listings match, by %s', async (sort) => {
    const input = { ...LIST, q: 'common', sort, counts: await countSearch(database, 'common') };

    expect(await readBy((connection) => listAgents(connection, input))).toBeLessThan(MOST_READ);
  });

  it.each(['score_desc', 'name'] as const)(
    'stop a scan that does not meet the matches, which are all at the end, by %s',
    async (sort) => {
      for (const [q, plan] of [
        ['latter', { by: 'index-scan', most: 300 }],
        ['last', { by: 'hash-filter', most: 1_920 }],
      ] as const) {
        const counts = await countSearch(database, q);
        const input = { ...LIST, q, sort, counts };
        expect(planSearch(counts, NO_FILTERS, input.limit + 1)).toEqual(plan);

        const { agents } = await listAgents(database, input);

        const search = { all: `'${q}':*`, by: `'${q}':*`, plan: { by: 'words' } as const };
        const window = { offset: 0, limit: input.limit };
        const { rows } = await readPage(
          database,
          { ...ALL_OF, sort, search },
          keyRangesOf(sort, null),
          window,
        );
        expect(agents.map(({ agentId }) => agentId)).toEqual(rows.map(({ agentId }) => agentId));
        expect(agents).toHaveLength(input.limit);
      }
    },
  );

  it.each(PLANNED)(
    'look up few matches one by one, without reading a sort index for them, by %s',
    async (sort) => {
      const search = { all: "'later':*", by: "'later':*", plan: { by: 'ids' } as const };
      const read = await readBy((connection) =>
        readPage(connection, { ...ALL_OF, sort, search }, keyRangesOf(sort, null), { offset: 0, limit: 10 }),
      );

      // Per match: its entry in the word index, its words, its key and its place.
      expect(read).toBeLessThan(4 * (MANY / 10) + MOST_READ);
    },
  );

  it.each(['score_desc', 'score_asc'] as const)(
    'look up only the stored matches that a page shows, by %s',
    async (sort) => {
      const counts = await countSearch(database, 'later');
      const input = { ...LIST, q: 'later', sort, limit: 5 };
      expect(planSearch(counts, NO_FILTERS, input.limit + 1)).toMatchObject({
        by: 'hash-filter',
        isCached: true,
      });
      const read = (kept: boolean) =>
        readBy(
          (connection) => listAgents(connection, { ...input, counts: { ...counts, kept } }),
          ['listing_words'],
        );

      expect(await read(true)).toBe(input.limit + 1);
      expect(await read(false)).toBe(MANY / 10);
    },
  );

  it('apply later changes to stored matches', async () => {
    const pages = async (connection: Connection) => {
      const read = async (plan: SearchPlan) => {
        const search = { all: LATER, by: LATER, plan };
        const filters = { ...ALL_OF, sort: 'score_desc', search } as const;
        const { rows } = await readPage(connection, filters, keyRangesOf('score_desc', null), {
          offset: 0,
          limit: 8,
        });
        return rows.map(({ agentId }) => agentId);
      };
      const [first, ...others] = [
        await read({ by: 'words' }),
        await read({ by: 'hash-filter', most: MANY + 1, isCached: true }),
      ];
      for (const other of others) expect(other).toEqual(first);
      return first;
    };
    const taken = new Error('taken back');
    const change = inTransaction(database, async (connection) => {
      const before = await pages(connection);
      // The second entry of the page is deleted, and a new best one is added.
      await connection.query("UPDATE listing_words SET words = 'common' WHERE agent_id = $1", [before?.[1]]);
      await connection.query(
        "UPDATE listing_words SET words = words || 'later' WHERE sort_name = 'x0000001'",
      );
      const after = await pages(connection);
      expect(after?.slice(1, 7)).toEqual([before?.[0], ...(before?.slice(2, 7) ?? [])]);
      // So many changes at once that nothing stored is valid any more.
      await connection.query(
        "UPDATE listing_words SET words = words || 'later' WHERE sort_name < 'x0000200'",
      );
      expect((await pages(connection))?.[0]).toBe(after?.[0]);
      expect(await pages(connection)).not.toEqual(after);
      throw taken;
    });

    await expect(change).rejects.toBe(taken);
  });
});
