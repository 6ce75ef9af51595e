import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { makeAccount } from '../../testing/factories.ts';
import { IS_NIGHTLY } from '../../testing/nightly.ts';
import { runCommand } from '../../testing/run-command.ts';
import { runCommandHere } from '../../testing/run-command-here.ts';

let folder: string;
let databases: TestDatabase[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-backup-'));
  databases = [await createTestDatabase(), await createTestDatabase({ empty: true })];
});
afterAll(async () => {
  for (const each of databases) await each.close();
  await rm(folder, { recursive: true });
});

it('database export and database restore copy a database, and verify its ledger at the end', async () => {
  const [from, to] = databases.map(({ url }) => ({ DATABASE_URL: url }));
  await makeAccount(databases[0]?.database as TestDatabase['database']);

  const exported = await runCommand(['database', 'export', 'whole.gz'], from ?? {}, folder);
  const restored = await runCommand(['database', 'restore', 'whole.gz'], to ?? {}, folder);
  const restore = ['database', 'restore', join(folder, 'whole.gz')];
  const again = await (IS_NIGHTLY ? runCommand(restore, to ?? {}) : runCommandHere(restore, to ?? {}));

  expect(exported).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+ rows of \d+ tables are in whole.gz\n$/),
  });
  expect(exported.stderr).toMatch(/^account: 1 rows$/m);
  expect(restored).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/are restored\n.* 0 bad rows\n$/),
  });
  expect(again).toMatchObject({ code: 1, stderr: expect.stringMatching(/^The database is not empty .*\n$/) });
});
