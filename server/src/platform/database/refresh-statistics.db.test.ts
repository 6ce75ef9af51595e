import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { refreshStatistics } from './concurrent-index.ts';

const ENOUGH_FOR_A_KEPT_PLAN = 6;

let test: TestDatabase;

beforeAll(async () => {
  // One session, which caches its plans.
  test = await createTestDatabase({ poolSize: 1 });
  await test.database.query('CREATE TABLE grown (number int)');
  await test.database.query('CREATE INDEX grown_number ON grown (number)');
  await test.database.query('ANALYZE');
});
afterAll(() => test.close());

const READ = 'SELECT number FROM grown WHERE number = $1';

async function keptPlan(): Promise<string> {
  const { database } = test;
  for (let times = 0; times < ENOUGH_FOR_A_KEPT_PLAN; times += 1) await database.query(READ, [1]);
  const [kept] = await database.query<{ name: string }>(
    'SELECT name FROM pg_prepared_statements WHERE statement = $1',
    [READ],
  );
  const rows = await database.query<{ 'QUERY PLAN': string }>(`EXPLAIN EXECUTE ${kept?.name} (1)`);
  return rows.map((row) => row['QUERY PLAN']).join('\n');
}

const add = (rows: number) =>
  test.database.query('INSERT INTO grown SELECT generate_series(1, $1::int)', [rows]);

it('plans kept statements anew for a table that has more than doubled, and leaves the others alone', async () => {
  const { database } = test;
  expect(await keptPlan()).toContain('Seq Scan');
  await add(20_000);
  expect(await keptPlan()).toContain('Seq Scan');

  expect(await refreshStatistics(database)).toBe(1);

  expect(await keptPlan()).toContain('grown_number');
  expect(await refreshStatistics(database)).toBe(0);
  await add(1_000);
  expect(await refreshStatistics(database)).toBe(0);
  await add(30_000);
  expect(await refreshStatistics(database)).toBe(1);
});

it('leaves alone what it may not analyze', async () => {
  const { database } = test;
  await database.query('CREATE ROLE stranger_to_statistics');
  try {
    await database.query('ALTER TABLE grown OWNER TO stranger_to_statistics');
    await database.query('GRANT ALL ON grown TO PUBLIC');
    await add(200_000);
    await database.query('SET ROLE pg_monitor');

    expect(await refreshStatistics(database)).toBe(0);
  } finally {
    await database.query('RESET ROLE');
    await database.query('ALTER TABLE grown OWNER TO CURRENT_USER');
    await database.query('DROP ROLE stranger_to_statistics');
  }
});
