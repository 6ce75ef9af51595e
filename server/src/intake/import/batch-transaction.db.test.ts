import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { createImportWorkspace } from '../../../testing/import/import-workspace.ts';
import { listing } from '../../../testing/import/rows.ts';
import { connect } from '../../platform/database/connect.ts';
import { embeddedBackend } from '../../scoring/embedded/embedded-backend.ts';
import { importFiles } from './import-files.ts';
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

it.each([1, 2, 3])(
  'imports with a pool of %i sessions, and stores the words of each listing',
  async (poolSize) => {
    const work = await createImportWorkspace();
    const database = connect(work.url, { poolSize });
    try {
      const path = await work.file([listing('acme/comet', { name: 'Comet' })]);
      await importFiles(database, embeddedBackend, [path], {
        rejectsPath: `${path}.rejects`,
        output: { write: () => undefined },
      });

      expect(await database.query("SELECT word FROM search_word WHERE word = 'comet'")).toHaveLength(1);
    } finally {
      await database.close();
      await work.close();
    }
  },
);
