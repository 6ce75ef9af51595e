import { afterEach, beforeEach, expect, it } from 'vitest';
import { createBarrier } from '../../testing/barrier.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { untilBlocked } from '../../testing/until-blocked.ts';
import { inRegistryTransaction, lockKeys, lockMoreKeys, readLocked } from './registry-locks.ts';

let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.close());

/** Locks the first key, then the others. The first attempt waits in between until all transactions have a key. */
async function take(keys: readonly string[], meet: () => Promise<void>): Promise<number> {
  let attempts = 0;
  const [first = '', ...more] = keys;
  await inRegistryTransaction(test.database, async (connection) => {
    attempts += 1;
    await lockKeys(connection, [first]);
    if (attempts === 1) await meet();
    await lockMoreKeys(connection, more);
  });
  return attempts;
}

it('transactions that lock keys in opposite orders both end, and one of them started again', async () => {
  const meet = createBarrier(2);

  const attempts = await Promise.all([take(['one', 'two'], meet), take(['two', 'one'], meet)]);

  expect(Math.max(...attempts)).toBeGreaterThan(1);
});

it('a transaction that waits for a key holds none above it, in whatever order it names its keys', async () => {
  const keys = ['one', 'two', 'three', 'four'];
  const lockThese = (named: readonly string[]) =>
    inRegistryTransaction(test.database, (connection) => lockKeys(connection, named));
  // `pg_locks` shows the numbers of keys as unsigned, but they are signed.
  const above = `SELECT w.objid AS waits, h.objid AS holds FROM pg_locks w JOIN pg_locks h USING (pid, locktype, database, classid)
    WHERE w.locktype = 'advisory' AND w.objsubid = 2 AND h.objsubid = 2 AND NOT w.granted AND h.granted
      AND w.objid::bigint << 32 < h.objid::bigint << 32`;

  for (const held of keys) {
    for (const named of [keys, keys.toReversed()]) {
      let waiting: Promise<unknown> = Promise.resolve();
      await inRegistryTransaction(test.database, async (connection) => {
        await lockKeys(connection, [held]);
        waiting = lockThese(named);
        await untilBlocked(test.database, waiting);
        expect(await test.database.query(above)).toEqual([]);
      });
      await waiting;
    }
  }
});

it('a transaction that needs a key which another one holds waits for it, and then reads what that one wrote', async () => {
  await test.database.query('CREATE TABLE entry (value int); INSERT INTO entry VALUES (1)');
  const read = async () => {
    const [row] = await test.database.query<{ value: number }>('SELECT value FROM entry');
    return row?.value;
  };
  let reading: Promise<number | undefined> | undefined;

  await inRegistryTransaction(test.database, async (connection) => {
    await lockKeys(connection, ['entry']);
    await connection.query('UPDATE entry SET value = 2');
    reading = inRegistryTransaction(test.database, async (other) => {
      await lockKeys(other, []);
      return readLocked(other, read, () => ['entry']);
    });
    await untilBlocked(test.database, reading);
  });

  expect(await reading).toBe(2);
});

it('a transaction with very many keys locks the whole registry', async () => {
  const keys = Array.from({ length: 1_000 }, (_, number) => `key ${number}`);
  let hasEnded = false;
  let other: Promise<unknown> = Promise.resolve();

  await inRegistryTransaction(test.database, async (connection) => {
    await lockKeys(connection, ['first']);
    await lockMoreKeys(connection, keys);
    other = inRegistryTransaction(test.database, (beside) => lockKeys(beside, ['unrelated'])).then(() => {
      hasEnded = true;
    });
    await untilBlocked(test.database, other);
    expect(hasEnded).toBe(false);
  });

  await other;
});

it('keys are locked before anything else of the registry', async () => {
  const early = inRegistryTransaction(test.database, (connection) => lockMoreKeys(connection, ['key']));

  await expect(early).rejects.toThrow('lockKeys comes before');
});
