import { describe, expect, it, onTestFinished } from 'vitest';
import { replaceClock, setClock } from './clock.ts';
import { createFilledDatabase, createTestDatabase, type TestDatabase } from './database.ts';
import { giveCredits, makeAccount, makeListing } from './factories.ts';

let fillings = 0;

/** Opens a database with the account `first`; `handles` returns the accounts in it. */
async function open() {
  const test = await createFilledDatabase('the account of this test', async ({ database }) => {
    fillings += 1;
    return (await makeAccount(database, { handle: 'first' })).accountId;
  });
  onTestFinished(() => test.close());
  return { ...test, handles: () => test.database.query('SELECT id, handle FROM account ORDER BY handle') };
}

it('databases with the same contents are filled once, and independent of one another', async () => {
  const [one, two] = await Promise.all([open(), open()]);
  await makeAccount(one.database, { handle: 'second' });
  const three = await open();

  expect(await one.handles()).toHaveLength(2);
  for (const { made, handles } of [two, three])
    expect(await handles()).toEqual([{ id: made, handle: 'first' }]);
  expect(fillings).toBe(process.env.TEST_DATABASE_URL ? 3 : 1);
});

it('other databases are still empty', async () => {
  const test = await createTestDatabase();
  onTestFinished(() => test.close());

  expect(await test.database.query('SELECT FROM account')).toEqual([]);
});

describe('an emptied database', () => {
  /** Returns the rows of each table as text. */
  async function rowsOf({ database }: TestDatabase) {
    const tables = await database.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
         AND NOT relispartition AND relname NOT IN ('schema_migration', 'test_clock') ORDER BY relname`,
    );
    const each = tables.map(
      ({ name }) => `SELECT '${name}' AS name, array_agg(t::text) AS rows FROM "${name}" t`,
    );
    return database.query(each.join(' UNION ALL '));
  }
  const create = async () => {
    const test = await createTestDatabase();
    onTestFinished(() => test.close());
    return test;
  };

  it('has the rows of a new one, and its clock follows real time', async () => {
    const [used, fresh] = [await create(), await create()];
    await replaceClock(used.database);
    await setClock(used.database, '2026-08-01T00:00:00Z');
    await makeListing(used.database);
    const { accountId } = await makeAccount(used.database);
    await giveCredits(used.database, accountId, 5);
    await used.database.query('UPDATE standing_look SET looked_at = ledger_now()');
    const before = await rowsOf(used);

    await used.empty();

    const after = await rowsOf(fresh);
    expect(before).not.toEqual(after);
    expect(await rowsOf(used)).toEqual(after);
    expect(await used.database.query('SELECT fixed FROM test_clock')).toEqual([{ fixed: null }]);
  });

  it('is reported if copies of its listings were outdated', async () => {
    const { database, empty } = await create();
    await makeListing(database);
    await database.query("UPDATE listing SET name = 'Renamed past its copies'");

    await expect(empty()).rejects.toThrow('copies of listings are outdated');

    expect(await database.query('SELECT FROM listing')).toEqual([]);
  });
});
