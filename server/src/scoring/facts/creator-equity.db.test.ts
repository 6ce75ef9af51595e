import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { type MadeCreator, makeCreator, makeListing } from '../../../testing/subjects/registry.factory.ts';
import type { Database } from '../../platform/database/connect.ts';
import { refreshCreatorEquity } from './creator-equity.queries.ts';

let test: TestDatabase;
let database: Database;

beforeAll(async () => {
  test = await createTestDatabase();
  database = test.database;
});
afterEach(() => test.empty());
afterAll(() => test.close());

/** Creates a creator with proved accounts; the repository host account is this many days old. */
async function makeProved(kinds: readonly string[], daysOld = 400): Promise<MadeCreator> {
  const { accountId } = await makeAccount(database);
  await database.query('UPDATE creator SET account_id = NULL WHERE account_id = $1', [accountId]);
  for (const kind of kinds) {
    await database.query(
      `INSERT INTO linked_account (id, account_id, kind, host, handle, proved_at, proved_by, checked_at, check_due_at,
         host_account_id, host_account_created_at)
       SELECT gen_random_uuid(), $1, $2, 'host.example', $3, now, 'code', now, now, $3, now - $4::int * interval '1 day'
       FROM ledger_now() AS now`,
      [accountId, kind, randomUUID(), daysOld],
    );
  }
  return makeCreator(database, { accountId });
}

/** Creates listings of one creator that derive from work of another. */
async function build(from: MadeCreator, to: MadeCreator, count = 1): Promise<void> {
  for (let made = 0; made < count; made += 1) {
    const parent = await makeListing(database, { creator: to });
    await makeListing(database, { creator: from, parentId: parent.id });
  }
}

async function equityOf(...creators: MadeCreator[]): Promise<(number | null)[]> {
  const rows = await database.query<{ id: string; equity: number }>(
    'SELECT creator_id AS id, equity FROM creator_equity',
  );
  return creators.map(({ id }) => rows.find((row) => row.id === id)?.equity ?? null);
}

async function dueOf(): Promise<string[]> {
  const rows = await database.query<{ id: string }>('SELECT subject_id AS id FROM score_due');
  return rows.map(({ id }) => id);
}

const TRUSTED = ['repo_host', 'node_packages'];

describe('the equity of creators', () => {
  it('is made from the stored counts of who builds on whom, as the method publishes it', async () => {
    const [a, b, c] = [await makeProved(TRUSTED), await makeProved(TRUSTED), await makeProved(TRUSTED)];
    const [d, e] = [await makeCreator(database), await makeCreator(database)];
    await build(b, a, 3);
    await build(c, a);
    await build(c, b);
    await build(d, e, 10);
    await build(e, d, 10);

    const { creators, changed } = await refreshCreatorEquity(database);

    // t = .5122 .2846 .2033 0 0, times five linked creators, at most one.
    expect((await equityOf(a, b, c, d, e)).map((equity) => Number(equity?.toFixed(3)))).toEqual([
      1, 1, 1, 0, 0,
    ]);
    expect({ creators, changed }).toEqual({ creators: 5, changed: 5 });
  });

  it.each([
    ['a young account on the repository host', TRUSTED, 364],
    ['no other proved account', ['repo_host'], 400],
    ['another proved account that the method does not count', ['repo_host', 'social'], 400],
    ['no proved account on a repository host', ['node_packages', 'python_packages'], 400],
  ])('does not start at a creator with %s', async (_what, kinds, daysOld) => {
    const [one, other] = [await makeProved(kinds, daysOld), await makeCreator(database)];
    await build(other, one);

    expect(await refreshCreatorEquity(database)).toEqual({ creators: 0, changed: 0 });
    expect(await equityOf(one, other)).toEqual([null, null]);
  });

  it('leaves out what creators build on their own work', async () => {
    const one = await makeProved(TRUSTED);
    await build(one, one, 3);

    expect(await refreshCreatorEquity(database)).toEqual({ creators: 0, changed: 0 });
  });

  it('queues exactly the creators whose equity changed or disappeared', async () => {
    const [one, other, third] = [
      await makeProved(TRUSTED),
      await makeCreator(database),
      await makeCreator(database),
    ];
    await build(one, other);
    await refreshCreatorEquity(database);
    await database.query('DELETE FROM score_due');

    expect((await refreshCreatorEquity(database)).changed).toBe(0);
    expect(await dueOf()).toEqual([]);
    await database.query('UPDATE linked_account SET removed_at = ledger_now(), check_due_at = NULL');
    await refreshCreatorEquity(database);

    expect((await dueOf()).sort()).toEqual([one.id, other.id].sort());
    expect(await equityOf(one, other, third)).toEqual([null, null, null]);
  });
});
