import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { cloneDatabase, type TestDatabase } from '../../../testing/clone-database.ts';
import { createTestDatabase } from '../../../testing/database.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { packageFile } from '../package-files.ts';
import { describeSchema } from './describe-schema.ts';
import { migrateDown, migrateUp, migrationNames, pendingMigrations } from './migrate.ts';

const PARTITION = fileURLToPath(new URL('../../../../ops/partition.sql', import.meta.url));
/** Some of the migrations that the baseline replaces, including the last two of them. */
const FORMER = [
  '0001-clock',
  '0031-open-and-ended-runs',
  '0072-scores-of-unproved-listings',
  '0074-running-servers',
];

/** Number of partitions of each kind of database; 0 means not partitioned. */
const KINDS = { whole: 0, partitioned: 4 };
type Kind = keyof typeof KINDS;
const CHOSEN = sampleUnlessNightly(Object.keys(KINDS) as Kind[], (kind) => kind === 'whole');

/** Changes to a database before its upgrade, which is therefore refused, and how the refusal names each. */
const CHANGES: [change: string, difference: string][] = [
  ['CREATE INDEX own ON listing (name)', 'has "CREATE INDEX own ON listing USING btree (name)"'],
  ['ALTER TABLE account ADD COLUMN own int', 'has "CREATE TABLE account ( … own integer"'],
  ['DROP TRIGGER subject_kept ON subject', 'lacks "CREATE TRIGGER subject_kept BEFORE'],
  [
    "CREATE OR REPLACE FUNCTION ledger_now() RETURNS timestamptz LANGUAGE sql VOLATILE AS 'SELECT now()'",
    'has "CREATE FUNCTION ledger_now() … AS $function$SELECT now()$function$", it lacks "CREATE FUNCTION ledger_now() … AS',
  ],
];

/** Databases that an earlier version migrated. Every test works on a clone. */
const formers: Partial<Record<Kind, TestDatabase>> = {};
let test: TestDatabase;
let baseline: string;
let names: string[];

beforeAll(async () => {
  names = await migrationNames();
  baseline = names[0] ?? '';
  for (const kind of CHOSEN) formers[kind] = await makeFormer(kind);
});
afterEach(() => test.close());
afterAll(() => Promise.all(Object.values(formers).map(({ close }) => close())));

async function execute(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(statements).finally(() => client.end());
}

/** Makes a database as an earlier version leaves it, without connections. */
async function makeFormer(kind: Kind): Promise<TestDatabase> {
  const former = await createTestDatabase({ empty: true });
  await migrateUp(former.url, { to: baseline });
  await former.database.query('DELETE FROM schema_migration');
  await former.database.query('INSERT INTO schema_migration (name) SELECT unnest($1::text[])', [FORMER]);
  const parts = KINDS[kind];
  if (parts > 0)
    await execute(former.url, `SET partition.parts = ${parts};\n${await readFile(PARTITION, 'utf8')}`);
  await former.database.close();
  return former;
}

/** Opens a clone of a database that an earlier version migrated. */
async function openFormer(kind: Kind): Promise<void> {
  const template = new URL(formers[kind]?.url ?? '').pathname.slice(1);
  test = await cloneDatabase(inject('testServerUrl'), template);
}

async function recorded(): Promise<string[]> {
  const rows = await test.database.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY name');
  return rows.map(({ name }) => name);
}

describe.each(CHOSEN)('a database with %s tables at the last migration before the baseline', (kind) => {
  beforeEach(() => openFormer(kind));

  it('takes the baseline for applied, keeps its rows, and gets the later migrations', async () => {
    await test.database.query("INSERT INTO account (id, plan) VALUES (gen_random_uuid(), 'free')");

    const applied = await migrateUp(test.url);

    expect(applied).toEqual(names);
    expect(await recorded()).toEqual([...FORMER, ...names].sort());
    expect(await test.database.query('SELECT FROM account')).toHaveLength(1);
    expect(await pendingMigrations(test.url)).toEqual([]);
  });

  it.each(sampleUnlessNightly(CHANGES, ([change]) => change.startsWith('DROP TRIGGER')))(
    'is refused after %j, and the difference is named',
    async (change, difference) => {
      await test.database.query(change);

      const refusal = await migrateUp(test.url).catch(String);

      expect(refusal).toContain('is not the one that the migration 0074-running-servers leaves');
      expect(refusal).toContain(difference);
      expect(refusal).toMatch(/Undo these changes, then start again\. Nothing was changed\.$/);
      expect(await recorded()).toEqual(FORMER);
    },
  );
});

describe('a database at the last migration before the baseline', () => {
  beforeEach(() => openFormer('whole'));

  it('takes the baseline for applied once, if several processes start at once', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => migrateUp(test.url)));

    expect(runs.flat()).toEqual(names);
  });

  itAtNight('may have given others rights, and have statistics settings of its own', async () => {
    await test.database.query('GRANT SELECT ON listing TO PUBLIC');
    await test.database.query('ALTER TABLE listing ALTER COLUMN name SET STATISTICS 500');

    expect(await migrateUp(test.url)).toEqual(names);
  });

  itAtNight('keeps the names of the earlier migrations, so that the version before can start', async () => {
    await migrateUp(test.url);
    const named: unknown[] = [];

    expect(await migrateUp(test.url, { onUnknown: (unknown) => named.push(unknown) })).toEqual([]);

    expect(named).toEqual([]);
    expect(await recorded()).toEqual(expect.arrayContaining(FORMER));
  });
});

it('a database at an earlier migration is refused, with the version to run first', async () => {
  await openFormer('whole');
  await test.database.query("DELETE FROM schema_migration WHERE name > '0031-open-and-ended-runs'");

  const refusal = await migrateUp(test.url).catch(String);

  expect(refusal).toContain(
    'the database is at 0031-open-and-ended-runs: run the command migrate of the version',
  );
  expect(refusal).toContain('whose last migration is 0074-running-servers first');
  expect(await recorded()).toEqual(['0001-clock', '0031-open-and-ended-runs']);
});

describe('the baseline', () => {
  it('makes the schema that it describes', async () => {
    await openFormer('whole');

    const text = await readFile(`${packageFile('migrations')}/${baseline}.sql`, 'utf8');
    const statements = text.slice(text.indexOf('\nSET LOCAL') + 1, text.indexOf('\n-- Rows'));
    const described = await describeSchema(test.database);
    expect(described.slice(described.indexOf('\nSET LOCAL') + 1)).toBe(statements);
  });

  it('is not rolled back, because everything would be lost', async () => {
    test = await createTestDatabase();

    await expect(migrateDown(test.url, { to: baseline })).rejects.toThrow(/baseline is not rolled back/);

    expect(await recorded()).toContain(baseline);
  });
});
