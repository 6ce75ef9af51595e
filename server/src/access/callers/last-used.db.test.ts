import { expect, it } from 'vitest';
import { createTestDatabase } from '../../../testing/database.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { saveLastUsed } from './caller.queries.ts';

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
