import { expect, it, onTestFinished } from 'vitest';
import { createFilledDatabase, createTestDatabase } from './database.ts';
import { makeAccount } from './factories.ts';

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
