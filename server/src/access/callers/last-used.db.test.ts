import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../testing/database.ts';
import { makeAccount, makeKey, makeSession } from '../../../testing/factories.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { saveLastUsed } from './caller.queries.ts';
import { endCredentials } from './session.ts';

it('the times of the last use lock keys in the order of their ids, so that two servers cannot deadlock', async () => {
  const test = await createTestDatabase();
  const { database } = test;
  const accounts = await Promise.all([1, 2, 3].map(() => makeAccount(database)));
  const [first, ...others] = accounts.map(({ key }) => key.id).sort() as [string, string, string];
  // A new version of the row stands behind the others, which are therefore read first.
  await database.query('UPDATE access_key SET name = $2 WHERE id = $1', [first, 'renamed']);

  // Any plan must keep the order, also one that reads the rows as they are stored.
  const save = () =>
    inTransaction(database, async (writing) => {
      await writing.query('SET LOCAL enable_indexscan = off');
      await writing.query('SET LOCAL enable_bitmapscan = off');
      await saveLastUsed(writing, [...others, first]);
    });
  let saved: Promise<void> | undefined;
  await inTransaction(database, async (holding) => {
    await holding.query('SELECT FROM access_key WHERE id = $1 FOR UPDATE', [first]);
    saved = save();
    await untilBlocked(database, saved);
    const free = await database.query(
      'SELECT FROM access_key WHERE id = ANY ($1::uuid[]) FOR UPDATE SKIP LOCKED',
      [others],
    );
    expect(free).toHaveLength(2);
  });
  await saved;

  const used = await database.query(
    'SELECT FROM access_key WHERE id = ANY ($1::uuid[]) AND last_used_at IS NOT NULL',
    [[first, ...others]],
  );
  expect(used).toHaveLength(3);
  await test.close();
});

it.each(['session', 'access_key'])(
  'the end of all credentials of an account locks each %s in the order of their ids',
  async (table) => {
    const test = await createTestDatabase();
    const { database } = test;
    const { accountId } = await makeAccount(database, { plan: 'pro' });
    for (let i = 0; i < 2; i++) await makeKey(database, accountId);
    for (let i = 0; i < 3; i++) await makeSession(database, accountId);
    const rows = await database.query<{ id: string }>(
      `SELECT id FROM ${table} WHERE ${table === 'session' ? 'ended_at' : 'revoked_at'} IS NULL ORDER BY id`,
    );
    const [first, ...others] = rows.map(({ id }) => id);
    // A new version of the row stands behind the others, which are therefore read first.
    await database.query(`UPDATE ${table} SET expires_at = ledger_now() + interval '1 hour' WHERE id = $1`, [
      first,
    ]);

    const end = () =>
      inTransaction(database, async (ending) => {
        await ending.query('SET LOCAL enable_indexscan = off');
        await ending.query('SET LOCAL enable_bitmapscan = off');
        await endCredentials(ending, accountId);
      });
    let ended: Promise<void> | undefined;
    await inTransaction(database, async (holding) => {
      await holding.query(`SELECT FROM ${table} WHERE id = $1 FOR UPDATE`, [first]);
      ended = end();
      await untilBlocked(database, ended);
      const free = await database.query(
        `SELECT FROM ${table} WHERE id = ANY ($1::uuid[]) FOR UPDATE SKIP LOCKED`,
        [others],
      );
      expect([others.length, free.length]).toEqual([2, 2]);
    });
    await ended;
    await test.close();
  },
);
