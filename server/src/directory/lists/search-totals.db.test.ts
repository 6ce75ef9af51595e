import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeManyListings } from '../../../testing/directory/make-many-listings.ts';
import { missingMatches, storedSearches } from '../../../testing/directory/stored-matches.ts';
import { writeListings } from '../../../testing/outdated-copies.ts';
import { type MadeListing, makeListing, makeScore } from '../../../testing/subjects/registry.factory.ts';
import { parseSearch } from '../../catalog/listings/parse-search.ts';
import { parseSynonyms } from '../../catalog/listings/synonyms.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { createAskedSearches } from './asked-searches.ts';
import { readKeptTotal } from './count-by-filter.queries.ts';
import { countSearch, countSelected } from './count-by-filter.ts';
import { NO_FILTERS } from './filters.ts';
import { keepAskedTotals, keepCommonTotals } from './keep-search-totals.ts';
import { pageSearch } from './list-query.ts';
import { dropOldTotals, keepTotal, lockTotals } from './search-totals.queries.ts';

const ROBOT = "'robot':*";
const PAINT = "'paint':*";
const SEARCHES = [ROBOT, PAINT, "'r':*", "'robot':* & 'paint':*"];
const NEVER = new AbortController().signal;
/** A statement that changes more rows counts as an import. */
const BULK = 101;

let test: TestDatabase;
let database: Database;
let robot: MadeListing;

beforeEach(async () => {
  test = await createTestDatabase({ poolSize: 8, outdatedCopies: true });
  database = test.database;
  robot = await makeListing(database, { name: 'Robot', description: 'Paints.' });
  await makeListing(database, { name: 'Painter', description: 'Draws.', category: 'data' });
  await makeListing(database, { name: 'Robots', description: 'Walk.', verified: true });
});
afterEach(() => test.close());

function keep(...searches: string[]): Promise<number> {
  const asked = createAskedSearches();
  for (const search of searches) asked.note(search, 1_000_000);
  return keepAskedTotals(database, asked, NEVER);
}

/** Counts the matches by stored total and by checking every listing. */
async function bothCounts(connection: Connection, search: string) {
  const words = search.replaceAll(/[^a-z ]/g, '');
  const plain = await connection.query(
    `SELECT type, verified, tier, category, kind, license, count(*) AS count FROM listing_words
     WHERE words @@ $1::tsquery GROUP BY 1, 2, 3, 4, 5, 6`,
    [search],
  );
  const inOrder = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).sort();
  return { told: inOrder((await countSearch(connection, words)).found), plain: inOrder(plain) };
}

function ofOneMoment(search: string) {
  return inTransaction(database, async (connection) => {
    await connection.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
    return { ...(await bothCounts(connection, search)), missed: await missingMatches(connection, search) };
  });
}

async function expectRight(isKept: boolean): Promise<void> {
  for (const search of SEARCHES) {
    const { told, plain } = await bothCounts(database, search);
    expect(told).toEqual(plain);
    expect((await readKeptTotal(database, search)).every(({ kept }) => kept)).toBe(isKept);
    expect(await missingMatches(database, search)).toEqual(isKept ? [] : undefined);
  }
}

async function setWords(id: string, words: string): Promise<void> {
  await database.query('UPDATE listing_words SET words = $2::tsvector WHERE subject_id = $1', [id, words]);
}

function makeMany(count: number): Promise<void> {
  return makeManyListings(database, robot.id, count, { words: "'robot'" });
}

describe('a stored total', () => {
  it('is read without reading the listings', async () => {
    const readBy = (work: (connection: Connection) => Promise<unknown>) =>
      inTransaction(database, async (connection) => {
        const soFar = async () => {
          const [row] = await connection.query<{ read: number }>(
            `SELECT sum(pg_stat_get_xact_tuples_returned(oid) + pg_stat_get_xact_tuples_fetched(oid))::int AS read FROM pg_class
             WHERE oid = 'listing_words'::regclass
               OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = 'listing_words'::regclass)`,
          );
          return row?.read ?? 0;
        };
        const before = await soFar();
        await work(connection);
        return (await soFar()) - before;
      });
    const count = (connection: Connection) => countSearch(connection, 'robot');

    expect(await readBy(count)).toBeGreaterThan(0);
    expect(await keep(ROBOT)).toBe(1);
    expect(await readBy(count)).toBe(0);
  });

  it('follows added and deleted listings, their words, tiers and flags', async () => {
    await keep(...SEARCHES);
    await expectRight(true);
    const other = await makeListing(database, { name: 'Robot painter', category: 'data' });
    await expectRight(true);
    await makeScore(database, robot, { trust: 90, confidence: 90, tier: 'high' });
    await expectRight(true);
    await writeListings(database, 'UPDATE listing SET verified = NOT verified');
    await expectRight(true);
    await setWords(robot.id, 'clock');
    await expectRight(true);
    await database.query('DELETE FROM listing_words WHERE subject_id = $1', [other.id]);
    await expectRight(true);

    await keepCommonTotals(database, NEVER);

    expect(await database.query('SELECT FROM search_change')).toEqual([]);
    await expectRight(true);
  });

  it('is void after an import, until it is counted again', async () => {
    await keep(...SEARCHES);
    await makeMany(BULK);
    await expectRight(false);
    await keep(...SEARCHES);
    await expectRight(false);

    await keepCommonTotals(database, NEVER);
    await keep(...SEARCHES);

    await expectRight(true);
    await database.query("UPDATE listing_words SET words = 'paint' WHERE sort_name LIKE 'x0%'");
    await expectRight(false);
    await database.query('TRUNCATE listing_words');
    await expectRight(false);
    // Writes as a server of an earlier version, without matches.
    await database.query('DELETE FROM search_change');
    expect(await storedSearches(database)).toEqual([]);
  });

  it('includes a change that commits later', async () => {
    await keep(PAINT);
    await inTransaction(database, async (connection) => {
      await connection.query("UPDATE listing_words SET words = 'paint robot'");
      await keep(...SEARCHES);
      await expectRight(true);
    });

    await expectRight(true);
  });

  it('is void after an import that commits later', async () => {
    await inTransaction(database, async (connection) => {
      await connection.query('INSERT INTO search_change DEFAULT VALUES');
      await connection.query("UPDATE listing_words SET words = 'paint robot'");
      await keep(...SEARCHES);
      await expectRight(true);
    });

    await expectRight(false);
  });

  it('is always exact while listings change and several processes update it', async () => {
    await makeMany(BULK);
    await keepCommonTotals(database, NEVER);
    const ids = await database.query<{ id: string }>(
      'SELECT subject_id AS id FROM listing_words ORDER BY 1 LIMIT 4',
    );
    const words = ['robot', 'paint', 'robot paint', 'clock'];
    const changes = Promise.all(
      ids.map(async ({ id }, at) => {
        for (let round = 0; round < 40; round += 1) await setWords(id, words[(round + at) % 4] ?? '');
      }),
    );
    let changing = true;
    const done = changes.then(() => {
      changing = false;
    });
    const seen: Awaited<ReturnType<typeof ofOneMoment>>[] = [];
    while (changing) {
      await Promise.all([keep(...SEARCHES), keepCommonTotals(database, NEVER)]);
      for (const search of SEARCHES) seen.push(await ofOneMoment(search));
    }
    await done;

    expect(seen.map(({ told }) => told)).toEqual(seen.map(({ plain }) => plain));
    expect(seen.flatMap(({ missed }) => missed ?? [])).toEqual([]);
    await keep(...SEARCHES);
    await expectRight(true);
  });
});

describe('searches with stored totals', () => {
  it('are those that users waited for, once', async () => {
    const asked = createAskedSearches();
    await makeMany(1_000);
    await keepCommonTotals(database, NEVER);

    await countSearch(database, 'ROBOT', asked);
    await countSearch(database, 'paint', asked);

    expect(asked.take()).toEqual([ROBOT]);
    expect(asked.take()).toEqual([]);
    await keep(ROBOT);
    await countSearch(database, 'robot', asked);
    expect(asked.take()).toEqual([]);
  });

  it('include the most common words and their first letters in advance', async () => {
    await makeMany(2_100);
    await database.query('ANALYZE listing_words');

    expect(await keepCommonTotals(database, NEVER)).toBe(3);
    const kept = await database.query<{ search: string }>(
      'SELECT DISTINCT search::text FROM search_total ORDER BY 1',
    );

    expect(kept.map(({ search }) => search)).toEqual(["'r':*", "'ro':*", ROBOT]);
    expect(await keepCommonTotals(database, NEVER)).toBe(0);
  });

  it('use common words as searches do, without their endings', async () => {
    await makeMany(2_100);
    await database.query(
      "UPDATE listing_words SET words = words || 'claude'::tsvector WHERE sort_name LIKE 'x%'",
    );
    await database.query('ANALYZE listing_words');
    await keepCommonTotals(database, NEVER);

    const { common, found } = await countSearch(database, 'claude needle');
    expect({ common, found }).toEqual({ common: ["'claud':*"], found: [] });
    // A synonym makes the common word even more common. The index query contains only the rare word.
    const search = parseSearch('claude needle', parseSynonyms('[["claude", "rodrigo"]]', 'a test'));
    const wider = await countSearch(database, search);
    expect(wider.common).toEqual(["('claud':* | 'rodrigo':*)"]);
    expect(pageSearch({ q: search }, wider.common)?.by).toBe("'needl':* | 'claudeneedl':*");
    const asked = createAskedSearches();
    expect(countSelected((await countSearch(database, 'Claude', asked)).found, NO_FILTERS)).toBeGreaterThan(
      2_000,
    );
    expect(asked.take()).toEqual([]);
  });

  it('are bounded: the oldest are deleted', async () => {
    for (const search of SEARCHES) await keep(search);

    await dropOldTotals(database, 2);

    const kept = await database.query<{ search: string }>('SELECT DISTINCT search::text FROM search_total');
    expect(kept.map(({ search }) => search).sort()).toEqual([...SEARCHES.slice(2)].sort());
    expect(await storedSearches(database)).toEqual([...SEARCHES.slice(2)].sort());
  });

  it('have match ids if there are neither too many nor too fragmented ones', async () => {
    await makeMany(BULK);
    await keepCommonTotals(database, NEVER);
    await inTransaction(database, async (connection) => {
      await lockTotals(connection);
      await keepTotal(connection, ROBOT, BULK);
      await keepTotal(connection, PAINT, BULK);
    });
    expect(await storedSearches(database)).toEqual([PAINT]);
    for (const words of ['paint robot', 'robot', 'paint']) {
      await setWords(robot.id, words);
      await keepCommonTotals(database, NEVER);
    }
    const pieces = await database.query<{ ids: string[] }>('SELECT agent_ids AS ids FROM search_match');
    // It matches again once; the first time it matched before.
    expect(pieces.map(({ ids }) => ids.length).sort()).toEqual([1, 2]);

    await database.query(
      'INSERT INTO search_match SELECT search, agent_ids FROM search_match, generate_series(1, 50)',
    );
    await keepCommonTotals(database, NEVER);

    expect(await storedSearches(database)).toEqual([]);
    expect((await readKeptTotal(database, PAINT)).some(({ kept }) => kept)).toBe(false);
    expect((await readKeptTotal(database, ROBOT)).every(({ kept }) => kept)).toBe(true);
  });

  it('are not updated further when the server stops', async () => {
    const asked = createAskedSearches();
    asked.note(ROBOT, 1_000_000);

    expect(await keepAskedTotals(database, asked, AbortSignal.abort())).toBe(0);
  });
});
