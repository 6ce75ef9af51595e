import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { findRunningServers, renewRunningServer } from './advisory-lock.ts';
import { inTransaction } from './transaction.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

it('servers that were suspended for a day renew their rows without waiting for each other', async () => {
  const { database } = test;
  const servers = ['one', 'two'].map((name) => ({ id: randomUUID(), publicUrl: `https://${name}.example` }));
  for (const server of servers) await renewRunningServer(database, server);
  await database.query("UPDATE running_server SET seen_at = seen_at - interval '2 days'");
  const [first, second] = servers as [(typeof servers)[0], (typeof servers)[0]];

  await inTransaction(database, async (renewing) => {
    await renewing.query('UPDATE running_server SET seen_at = ledger_now() WHERE id = $1', [first.id]);
    await renewRunningServer(database, second);
  });

  expect((await findRunningServers(database)).sort()).toEqual(['https://one.example', 'https://two.example']);
});
