import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { isOfKind } from './ledger.sql.ts';

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.close());

const ACCOUNT = '00000000-0000-4000-8000-000000000001';

it('distinguishes kinds with the same hash', async () => {
  const rows = await test.database.query<{ found: boolean; same: boolean }>(
    `SELECT ${isOfKind('r', '$1::uuid', "'a b'", "'c'")} AS found,
       hashtextextended(r.operation || ' ' || r.state, 0) = hashtextextended('a b c', 0) AS same
     FROM (VALUES ($1::uuid, 'a b', 'c'), ($1::uuid, 'a', 'b c')) r(account_id, operation, state)`,
    [ACCOUNT],
  );

  expect(rows).toEqual([
    { found: true, same: true },
    { found: false, same: true },
  ]);
});
