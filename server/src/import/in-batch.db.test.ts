import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { connect } from '../database/connect.ts';
import { inBatch } from './in-batch.ts';

let test: TestDatabase;

beforeEach(async () => {
  test = await createTestDatabase();
});
afterEach(() => test.close());

it('waits for the disk with no commit of a batch, and with each of what comes after it', async () => {
  await test.database.query(
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = on', current_database()); END $$`,
  );
  const database = connect(test.url, { poolSize: 1 });
  try {
    const shown = 'SHOW synchronous_commit';
    const inside = await inBatch(database, (connection) => connection.query(shown));

    expect(inside).toEqual([{ synchronous_commit: 'off' }]);
    expect(await database.query(shown)).toEqual([{ synchronous_commit: 'on' }]);
  } finally {
    await database.close();
  }
});
