import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount, PLAN_BOOK } from '../../../testing/factories.ts';
import { runCommandHere } from '../../../testing/run-command-here.ts';
import { startServer } from '../../../testing/server-process.ts';

let test: TestDatabase;
let folder: string;

beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-plans-'));
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

it('a server does not start without the plan of an account, and starts once the account is moved', async () => {
  const { builder: _, ...plans } = PLAN_BOOK.plans;
  const file = join(folder, 'plans.json');
  await writeFile(file, JSON.stringify({ ...PLAN_BOOK, plans }));
  await makeAccount(test.database, { handle: 'example-labs', plan: 'builder' });
  const env = { DATABASE_URL: test.url, PLANS_FILE: file };

  // If the database is busy, the start waits for it first and logs that between the two messages.
  const failure = await startServer(env).then(String, (error: Error) => error.message);
  expect(failure).toMatch(/^the server ended with 1: /);
  expect(failure).toContain(
    `PLANS_FILE ${file} lacks the plan "builder" of 1 account (example-labs). Put the plan back`,
  );

  const moved = await runCommandHere(['plan', 'set', '--account', 'example-labs', '--plan', 'free'], env);
  expect(moved).toMatchObject({ code: 0 });
  const server = await startServer(env);
  expect((await server.end('SIGTERM')).code).toBe(0);
}, 240_000);
