import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { untilBlocked } from '../../../testing/until-blocked.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import { saveDisputes, saveReadings } from './save-advisories.ts';

let test: TestDatabase;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

type Write = (connection: Connection, names: readonly string[]) => Promise<unknown>;

const writeReadings: Write = (connection, names) =>
  saveReadings(
    connection,
    names.map((source) => ({ source, ecosystem: 'npm', records: 1 })),
  );

const writeDisputes: Write = (connection, names) =>
  saveDisputes(
    connection,
    names.map((name) => ({
      advisoryId: `MAL-${name}`,
      ecosystem: 'npm',
      name,
      url: 'https://maker.example/statement',
      versions: [],
      reason: 'tested',
      statedAt: '2026-01-01T00:00:00Z',
      withdrawnAt: null,
    })),
  );

it.each([
  ['readings', writeReadings],
  ['disputes', writeDisputes],
])('two imports that store the same %s in different orders never deadlock', async (_, write) => {
  let importing: Promise<unknown> | undefined;
  await inTransaction(test.database, async (other) => {
    await write(other, ['alpaca']);
    importing = write(test.database, ['zebra', 'alpaca']);
    await untilBlocked(test.database, importing);
    await write(other, ['zebra']);
  });
  await expect(importing).resolves.not.toThrow();
});
