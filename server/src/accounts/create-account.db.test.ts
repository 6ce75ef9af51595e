import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts';
import { makeAccount, makeListing, PLAN_BOOK } from '../../testing/factories.ts';
import { requireAccount, requireAccountByName } from '../access/callers/require-account.ts';
import type { Database } from '../platform/database/connect.ts';
import { createAccount } from './account-lifecycle.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});
afterAll(() => test.close());

function create(handle: string, plan = 'free'): Promise<string> {
  return createAccount(database, PLAN_BOOK, { handle, plan }).then(
    () => 'created',
    (error) => error.code,
  );
}

describe('creating an account', () => {
  it('accepts one of many concurrent requests for a handle, and tells the others why', async () => {
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, i) => create(i % 2 ? 'Racer' : 'racer')),
    );

    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'handle_taken')).toHaveLength(7);
  });

  it('refuses the handle of a repository owner in the registry, in any case', async () => {
    await makeListing(database, { owner: 'Known-Owner' });

    expect(await create('known-owner')).toBe('handle_taken');
  });

  it('also refuses an owner known only from another registration', async () => {
    const { subjectId } = await makeListing(database);
    await database.query("UPDATE listing SET repository = 'Quiet-Owner/robot' WHERE subject_id = $1", [
      subjectId,
    ]);

    expect(await create('quiet-owner')).toBe('handle_taken');
  });

  it.each(['', '-x', 'x-', 'a b', 'a/b', 'é', 'x'.repeat(101), '01a1f83b-fa57-7c41-9e0b-5d2f8a6c1e47'])(
    'refuses %j as a handle',
    async (handle) => {
      expect(await create(handle)).toBe('invalid_request');
    },
  );

  it.each(['gold', 'toString', 'constructor', '__proto__'])('knows no plan "%s"', async (plan) => {
    expect(await create('some-handle', plan)).toBe('invalid_request');
  });
});

describe('an account', () => {
  it('is found by its handle in any letter case and by its id', async () => {
    const { accountId, handle } = await makeAccount(database);

    for (const name of [handle, handle.toUpperCase(), accountId, accountId.toUpperCase()]) {
      expect(await requireAccountByName(database, name)).toMatchObject({ id: accountId });
    }
    expect(await requireAccount(database, accountId)).toMatchObject({ id: accountId, handle, plan: 'free' });
    await expect(requireAccountByName(database, 'nobody')).rejects.toMatchObject({ code: 'not_found' });
    await expect(requireAccount(database, randomUUID())).rejects.toMatchObject({ code: 'not_found' });
  });

  it('shows its creation time to the microsecond, and counts active keys', async () => {
    const { accountId } = await makeAccount(database);
    const made = "UPDATE account SET created_at = '2026-01-02T03:04:05.678901Z' WHERE id = $1";
    await database.query(made, [accountId]);

    const account = await requireAccountByName(database, accountId);

    expect(account).toMatchObject({
      createdAt: '2026-01-02T03:04:05.678901Z',
      state: 'active',
      activeKeys: 1,
    });
  });
});
