import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import type { Connection } from './connect.ts';
import { isDatabaseUnavailable } from './database-errors.ts';
import { inTransaction } from './transaction.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase({ poolSize: 2 });
});

afterAll(() => test.close());

const insert = (connection: Connection, handle: string) =>
  connection.query('INSERT INTO account (id, handle, plan) VALUES ($1, $2, $3)', [
    randomUUID(),
    handle,
    'free',
  ]);

const handles = async (): Promise<string[]> => {
  const rows = await test.database.query<{ handle: string }>('SELECT handle FROM account ORDER BY handle');
  return rows.map(({ handle }) => handle);
};

it('saves everything when the work resolves, and answers its result', async () => {
  const result = await inTransaction(test.database, async (connection) => {
    await insert(connection, 'first');
    await connection.models.Account.create(
      { id: randomUUID(), handle: 'second', plan: 'free' },
      { transaction: connection.transaction },
    );
    return 'done';
  });

  expect(result).toBe('done');
  expect(await handles()).toEqual(expect.arrayContaining(['first', 'second']));
});

it('saves nothing when the work throws, and passes its error on', async () => {
  const failure = new Error('changed my mind');

  const work = inTransaction(test.database, async (connection) => {
    await insert(connection, 'never-thrown');
    throw failure;
  });

  await expect(work).rejects.toBe(failure);
  expect(await handles()).not.toContain('never-thrown');
});

it('fails when an error of a statement was swallowed, because PostgreSQL then saves nothing', async () => {
  const work = inTransaction(test.database, async (connection) => {
    await insert(connection, 'never-swallowed');
    await connection.query('SELECT 1 / 0').catch(() => undefined);
  });

  await expect(work).rejects.toThrow('nothing was saved');
  expect(await handles()).not.toContain('never-swallowed');
});

it('saves what follows an error that a savepoint took back', async () => {
  await inTransaction(test.database, async (connection) => {
    await connection.query('SAVEPOINT before');
    await connection.query('SELECT 1 / 0').catch(() => connection.query('ROLLBACK TO SAVEPOINT before'));
    await insert(connection, 'after-savepoint');
  });

  expect(await handles()).toContain('after-savepoint');
});

it('sees its own changes while the pool does not see them before the commit', async () => {
  await inTransaction(test.database, async (connection) => {
    await insert(connection, 'pending');

    const inside = await connection.query("SELECT 1 FROM account WHERE handle = 'pending'");
    const outside = await handles();

    expect(inside).toHaveLength(1);
    expect(outside).not.toContain('pending');
  });
});

it('gives its session back after success and after failure', async () => {
  for (let round = 0; round < 5; round += 1) {
    await inTransaction(test.database, (connection) => connection.query('SELECT 1'));
    await inTransaction(test.database, () => Promise.reject(new Error('no'))).catch(() => undefined);
    await inTransaction(test.database, (connection) => connection.query('SELECT nothing')).catch(
      () => undefined,
    );
  }

  const rows = await test.database.query<{ open: number }>(
    "SELECT count(*) AS open FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'",
  );
  expect(rows).toEqual([{ open: 0 }]);
});

it('fails, and leaves the pool usable, when the server ends its session before the commit', async () => {
  const work = inTransaction(test.database, async (connection) => {
    await insert(connection, 'never-cut');
    const [own] = await connection.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    // Waits up to one minute for its end.
    await test.database.query('SELECT pg_terminate_backend($1, 60000)', [own?.pid]);
  });

  await expect(work).rejects.toSatisfy(isDatabaseUnavailable);
  expect(await handles()).not.toContain('never-cut');
});
