import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { fewerUnlessNightly } from '../../../testing/nightly.ts';
import { migrateDown, migrateUp, migrationNames, pendingMigrations } from './migrate.ts';

let test: TestDatabase;
let folder: string;

beforeEach(async () => {
  test = await createTestDatabase({ empty: true });
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-migrations-'));
});

afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFile(join(folder, `${name}.sql`), text);

/** Lists all objects of a schema, one line each, with their definitions. */
async function schema(): Promise<string[]> {
  const rows = await test.database.query<{ line: string }>(`
    SELECT 'relation ' || relname || ' ' || relkind::text AS line FROM pg_class WHERE relnamespace = 'public'::regnamespace
    UNION ALL SELECT 'column ' || attrelid::regclass || '.' || attname || ' ' || format_type(atttypid, atttypmod)
      FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE relnamespace = 'public'::regnamespace AND attnum > 0
        AND NOT attisdropped
    UNION ALL SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
    UNION ALL SELECT 'constraint ' || conrelid::regclass || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
      WHERE connamespace = 'public'::regnamespace
    UNION ALL SELECT 'function ' || pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
    UNION ALL SELECT 'trigger ' || pg_get_triggerdef(t.oid) FROM pg_trigger t WHERE NOT tgisinternal
    UNION ALL SELECT 'type ' || typname FROM pg_type WHERE typnamespace = 'public'::regnamespace`);
  return rows.map(({ line }) => line).sort();
}

describe('the migrations of the project', () => {
  it('go forward, back to the baseline, and forward again to the same schema', async () => {
    const [baseline = '', ...later] = await migrationNames();

    const applied = await migrateUp(test.url);
    const first = await schema();
    const takenBack = later[0] === undefined ? [] : await migrateDown(test.url, { to: later[0] });
    await migrateUp(test.url);

    expect(applied).toEqual([baseline, ...later]);
    expect(takenBack).toEqual([...later].reverse());
    expect(first.length).toBeGreaterThan(100);
    expect(await schema()).toEqual(first);
  });

  it('are each rolled back cleanly one at a time, back to the baseline', async () => {
    const [, ...later] = await migrateUp(test.url);
    // By day the newest ones: of the others, the test above rolls back all together.
    const newest = later.reverse().slice(0, fewerUnlessNightly(4, later.length));

    for (const name of newest) {
      await migrateDown(test.url, { to: name });
      const without = await schema();
      await migrateUp(test.url, { to: name });
      await migrateDown(test.url, { to: name });

      expect(await schema()).toEqual(without);
    }
  });

  itAtNight('do nothing when they have been applied', async () => {
    const names = await migrateUp(test.url);

    expect(await pendingMigrations(test.url)).toEqual([]);
    expect(await migrateUp(test.url)).toEqual([]);
    expect(names.length).toBeGreaterThan(0);
  });
});

describe('a migration', () => {
  it('that fails leaves nothing behind, and those before it stay', async () => {
    await write('0001-good', 'CREATE TABLE good (id int);\n-- down\nDROP TABLE good;');
    await write('0002-bad', 'CREATE TABLE half (id int);\nSELECT 1 / 0;\n-- down\nDROP TABLE half;');

    await expect(migrateUp(test.url, { folder })).rejects.toThrow('0002-bad');

    expect(await pendingMigrations(test.url, { folder })).toEqual(['0002-bad']);
    const relations = (await schema()).filter((line) => line.startsWith('relation') && line.endsWith(' r'));
    expect(relations).toEqual(['relation good r', 'relation schema_migration r']);
  });

  it('that fails while being rolled back is still applied', async () => {
    await write('0001-stuck', 'CREATE TABLE stuck (id int);\n-- down\nDROP TABLE stuck;\nSELECT 1 / 0;');
    await migrateUp(test.url, { folder });

    await expect(migrateDown(test.url, { folder })).rejects.toThrow('0001-stuck');

    expect(await pendingMigrations(test.url, { folder })).toEqual([]);
    expect(await schema()).toContain('relation stuck r');
  });

  it('whose process dies in the middle is neither done nor remembered', async () => {
    await write('0001-slow', 'CREATE TABLE slow (id int);\nSELECT pg_sleep(20);\n-- down\nDROP TABLE slow;');
    const dying = migrateUp(test.url, { folder }).catch((error: unknown) => error);
    await untilOneWaits('PgSleep');

    await test.database.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'PgSleep'",
    );

    expect(await dying).toBeInstanceOf(Error);
    expect(await schema()).toEqual([]);
    expect(await pendingMigrations(test.url, { folder })).toEqual(['0001-slow']);
  });

  it('without the line that splits it is refused by name', async () => {
    await write('0001-one-way', 'CREATE TABLE one_way (id int);');

    await expect(migrateUp(test.url, { folder })).rejects.toThrow(
      '0001-one-way.sql must contain the line "-- down"',
    );
  });

  it('may be the last one to apply', async () => {
    await write('0001-first', 'CREATE TABLE first (id int);\n-- down\nDROP TABLE first;');
    await write('0002-second', 'CREATE TABLE second (id int);\n-- down\nDROP TABLE second;');

    const applied = await migrateUp(test.url, { folder, to: '0001-first' });

    expect(applied).toEqual(['0001-first']);
    expect(await pendingMigrations(test.url, { folder })).toEqual(['0002-second']);
  });
});

describe('a migration that needs a table which a long transaction reads', () => {
  it('lets others read it meanwhile, and is done once that transaction has ended', async () => {
    await write('0001-table', 'CREATE TABLE busy (id int);\n-- down\nDROP TABLE busy;');
    await migrateUp(test.url, { folder });
    await write('0002-column', 'ALTER TABLE busy ADD COLUMN more int;\n-- down\nSELECT 1;');
    const reader = await test.database.sequelize.transaction();
    const long = 'SET LOCAL idle_in_transaction_session_timeout = 0; SELECT FROM busy';
    await test.database.sequelize.query(long, { transaction: reader });

    const migrating = migrateUp(test.url, { folder, lockWaitMs: 200 });
    await untilOneWaits('relation');
    await test.database.query('SELECT FROM busy');
    await reader.commit();

    expect(await migrating).toEqual(['0002-column']);
  });
});

describe('a migration and a transaction that wait for each other', () => {
  it('both succeed: PostgreSQL aborts the migration, which is retried after the other', async () => {
    await write(
      '0001-tables',
      'CREATE TABLE one (id int);\nCREATE TABLE two (id int);\n-- down\nDROP TABLE one, two;',
    );
    await migrateUp(test.url, { folder });
    // Waits between its two locks until the other transaction waits for the first.
    const locks =
      'LOCK TABLE one;\nSELECT pg_advisory_xact_lock(77);\nLOCK TABLE two;\nALTER TABLE one ADD more int;';
    await write('0002-both', `${locks}\n-- down\nSELECT 1;`);
    const gate = await session('BEGIN; SELECT pg_advisory_xact_lock(77)');
    const other = await session("BEGIN; SET LOCAL deadlock_timeout = '1h'; LOCK TABLE two");

    const migrating = migrateUp(test.url, { folder, lockWaitMs: 60_000 });
    await untilOneWaits('advisory');
    const served = other.query('LOCK TABLE one');
    await untilOneWaits('relation');
    await gate.query('COMMIT');
    await served;
    await other.query('COMMIT');

    expect(await migrating).toEqual(['0002-both']);
    expect(await schema()).toContain('column one.more integer');
  });
});

describe('migrations that this version does not know', () => {
  it('are named to who brings a database up to date, and nothing is done to them', async () => {
    await write('0001-first', 'CREATE TABLE first (id int);\n-- down\nDROP TABLE first;');
    await write('0002-later', 'CREATE TABLE later (id int);\n-- down\nDROP TABLE later;');
    await migrateUp(test.url, { folder });
    await rm(join(folder, '0002-later.sql'));
    const named: unknown[] = [];

    expect(await migrateUp(test.url, { folder, onUnknown: (names) => named.push(names) })).toEqual([]);

    expect(named).toEqual([['0002-later']]);
    expect(await schema()).toContain('relation later r');
  });

  it('cannot be rolled back', async () => {
    await write('0001-first', 'CREATE TABLE first (id int);\n-- down\nDROP TABLE first;');
    await migrateUp(test.url, { folder });

    await expect(migrateDown(test.url, { folder, to: '0001' })).rejects.toThrow(
      'The database has no migration "0001". It has 0001-first to 0001-first: name one of them in full. Nothing was changed.',
    );
    expect(await pendingMigrations(test.url, { folder })).toEqual([]);
  });
});

describe('two processes that migrate at once', () => {
  it('both succeed, and each migration runs once', async () => {
    const runs = await Promise.all([1, 2, 3].map(() => migrateUp(test.url)));

    const applied = runs.flat();
    expect(runs.filter((names) => names.length > 0)).toHaveLength(1);
    expect(new Set(applied).size).toBe(applied.length);
    expect(await pendingMigrations(test.url)).toEqual([]);
  });

  itAtNight('wait for one another beyond every time limit of the database', async () => {
    const [name] = await test.database.query<{ name: string }>('SELECT current_database() AS name');
    await test.database.query(`ALTER DATABASE ${name?.name} SET statement_timeout = '300ms'`);
    await test.database.query(`ALTER DATABASE ${name?.name} SET lock_timeout = '300ms'`);
    await write('0001-slow', 'SELECT pg_sleep(0.8);\n-- down\nSELECT 1;');

    const runs = await Promise.all([migrateUp(test.url, { folder }), migrateUp(test.url, { folder })]);

    expect(runs.flat()).toEqual(['0001-slow']);
  });
});

async function session(statements: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: test.url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  await client.query(statements);
  return client;
}

async function untilOneWaits(event: string): Promise<void> {
  const waiting = 'SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = $1';
  await expect.poll(() => test.database.query(waiting, [event])).toHaveLength(1);
}
