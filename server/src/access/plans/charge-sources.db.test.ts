import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { makeAccount } from '../../../testing/factories.ts';
import { packageFile } from '../../platform/package-files.ts';
import { CHARGE_SOURCES } from './charge-sources.ts';

const NAMES = CHARGE_SOURCES.map(({ name }) => name);

let test: TestDatabase;
let accountId: string;
beforeAll(async () => {
  test = await createTestDatabase();
  accountId = (await makeAccount(test.database)).accountId;
});
afterAll(() => test?.close());

const insert = (source: string, unit: string, periodKind: string) =>
  test.database.query(
    `INSERT INTO credit_bucket (account_id, source, unit, period_kind, valid_from, valid_to, total)
     VALUES ($1, $2, $3, $4, '2020-01-01Z', '2020-02-01Z', 1)`,
    [accountId, source, unit, periodKind],
  );

describe('the table of charge sources', () => {
  it('has the names of the contract, in its order', () => {
    const contract = parse(readFileSync(packageFile('../openapi.yaml'), 'utf8'));

    expect(contract.components.schemas.ChargeSource.enum).toEqual(NAMES);
  });

  it('has the units, periods and order of payment of the database', async () => {
    for (const { name, unit, periodKind } of CHARGE_SOURCES) await insert(name, unit, periodKind);

    const stored = await test.database.query<{ source: string }>(
      "SELECT source FROM credit_bucket WHERE account_id = $1 AND valid_to = '2020-02-01Z' ORDER BY prio",
      [accountId],
    );
    expect(stored.map(({ source }) => source)).toEqual(NAMES);
  });

  it.each(CHARGE_SOURCES)(
    'is complete for $name: the database takes no other unit or period',
    async (source) => {
      const { name, unit, periodKind } = source;

      await expect(insert(name, unit === 'call' ? 'credit' : 'call', periodKind)).rejects.toThrow(/check/);
      await expect(insert(name, unit, periodKind === 'month' ? 'grant' : 'month')).rejects.toThrow(/check/);
    },
  );

  it('is complete: the database takes no other source', async () => {
    await expect(insert('lent', 'credit', 'grant')).rejects.toThrow(/credit_bucket_source_check/);
  });
});
