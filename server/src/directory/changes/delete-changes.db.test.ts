import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeListing } from '../../../testing/factories.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { deleteUnreachable } from './change.queries.ts';
import { publishChanges } from './change-feed.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it('old changes are deleted by one process at a time, so that two cannot deadlock', async () => {
  const { database } = test;
  await makeListing(database);
  await publishChanges(database);
  // The horizon of a published watermark waits for open transactions of other tests, in other databases of the server.
  await database.query('UPDATE change_watermark SET horizon = pg_current_xact_id()');
  const [stored] = await database.query<{ count: number }>('SELECT count(*)::int AS count FROM change');

  await inTransaction(database, async (deleting) => {
    expect(await deleteUnreachable(deleting)).toBe(stored?.count);
    expect(await deleteUnreachable(database)).toBe(0);
  });

  expect(stored?.count).toBeGreaterThan(0);
  expect(await database.query('SELECT FROM change')).toEqual([]);
});
