import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { connect } from '../../platform/database/connect.ts';
import { inBatchTransaction } from './store-rows.ts';

let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.close());

it('commits batches asynchronously, and everything after them synchronously', async () => {
  await test.database.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$`,
  );
  const database = connect(test.url, { poolSize: 1 });
  try {
    const shown = 'SHOW synchronous_commit';
    const inside = await inBatchTransaction(database, (connection) => connection.query(shown));

    expect(inside).toEqual([{ synchronous_commit: 'off' }]);
    expect(await database.query(shown)).toEqual([{ synchronous_commit: 'on' }]);
  } finally {
    await database.close();
  }
});
