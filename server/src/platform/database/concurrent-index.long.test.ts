import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { MIGRATION_LOCK, migrateDown, migrateUp, pendingMigrations } from './migrate.ts';

let test: TestDatabase;
let folder: string;

beforeEach(async () => {
  test = await createTestDatabase({ empty: true });
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-indexes-'));
  await write('0001-table', `${BIG}\n-- down\nDROP TABLE big;`);
  await migrateUp(test.url, { folder });
  await write('0002-index', INDEX);
});

afterEach(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

const BIG = `CREATE TABLE big (id int NOT NULL, name text);
  INSERT INTO big SELECT n, n::text FROM generate_series(1, 20000) n;`;
const PARTED = `DROP TABLE big; CREATE TABLE big (id int NOT NULL, name text) PARTITION BY HASH (id);
  CREATE TABLE big_0 PARTITION OF big FOR VALUES WITH (MODULUS 2, REMAINDER 0);
  CREATE TABLE big_1 PARTITION OF big FOR VALUES WITH (MODULUS 2, REMAINDER 1);
  INSERT INTO big SELECT n, n::text FROM generate_series(1, 2000) n;`;
const INDEX = `-- Names, wherever they stand; and numbers.
CREATE INDEX CONCURRENTLY big_by_name ON big (name) WHERE name <> '';
CREATE UNIQUE INDEX CONCURRENTLY big_by_id ON big (id);
-- down
DROP INDEX big_by_id;
DROP INDEX big_by_name;
`;
const WHOLE = ['big_by_id valid', 'big_by_name valid'];

const write = (name: string, text: string) => writeFile(join(folder, `${name}.sql`), text);

async function session(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: test.url });
  client.on('error', () => undefined);
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** Opens a transaction that writes and does not commit; an index made concurrently waits for its end. */
async function writer(table = 'big'): Promise<{ commit(): Promise<unknown> }> {
  const client = await session();
  await client.query(`BEGIN; UPDATE ${table} SET name = 'under way' WHERE name = '7'`);
  return { commit: () => client.query('COMMIT') };
}

async function indexes(): Promise<string[]> {
  const rows = await test.database.query<{ line: string }>(
    `SELECT c.relname || CASE WHEN indisvalid THEN ' valid' ELSE ' half made' END AS line
     FROM pg_index JOIN pg_class c ON c.oid = indexrelid WHERE c.relnamespace = 'public'::regnamespace AND c.relname LIKE 'big%'
     ORDER BY 1`,
  );
  return rows.map(({ line }) => line);
}

/** Waits until another session fulfils `condition`, and returns its process number. */
async function untilOne(condition: string): Promise<number> {
  const others = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND ${condition}`;
  await expect.poll(() => test.database.query(others), { timeout: 20_000 }).toHaveLength(1);
  const [one] = await test.database.query<{ pid: number }>(others);
  return one?.pid ?? 0;
}

const MAKES = "wait_event = 'virtualxid' AND query LIKE 'CREATE%'";
const ASKS = "state = 'idle' AND query LIKE 'SELECT pg_try_advisory_lock%'";
const WAITS_AS_BEFORE = "wait_event = 'advisory'";

describe('an index that is made concurrently', () => {
  it('does not block writers, and a second process that starts waits for it', async () => {
    const open = await writer();
    const first = migrateUp(test.url, { folder });
    await untilOne(MAKES);
    const second = migrateUp(test.url, { folder });
    await untilOne(
      `${ASKS} AND pid <> (SELECT pid FROM pg_stat_activity WHERE ${MAKES} AND datname = current_database())`,
    );

    const other = await session();
    await other.query("SET lock_timeout = '1s'; INSERT INTO big VALUES (1000002, 'meanwhile')");
    await open.commit();

    expect([await first, await second]).toEqual([['0002-index'], []]);
    expect(await indexes()).toEqual(WHOLE);
    expect(await migrateDown(test.url, { folder, to: '0002-index' })).toEqual(['0002-index']);
    expect(await indexes()).toEqual([]);
  });

  const TABLES: [what: string, before: string, written: string, half: string, whole: string[]][] = [
    ['one table', '', 'big', 'big_by_name half made', WHOLE],
    [
      'a table in parts',
      PARTED,
      'big_0',
      'big_by_name_0 half made',
      ['big_by_id', 'big_by_id_0', 'big_by_id_1', 'big_by_name', 'big_by_name_0', 'big_by_name_1'].map(
        (name) => `${name} valid`,
      ),
    ],
  ];

  it.each(sampleUnlessNightly(TABLES, ([, before]) => before === ''))(
    'on %s that was killed half made is made anew by the next start',
    async (_what, before, written, half, whole) => {
      for (const statement of before.split(';').filter(Boolean)) await test.database.query(statement);
      const open = await writer(written);
      const killed = migrateUp(test.url, { folder }).catch((error: Error) => error);
      const pid = await untilOne(MAKES);

      await test.database.query('SELECT pg_terminate_backend($1)', [pid]);

      expect(await killed).toBeInstanceOf(Error);
      expect(await indexes()).toContain(half);
      await open.commit();
      expect(await migrateUp(test.url, { folder })).toEqual(['0002-index']);
      expect(await indexes()).toEqual(whole);
      expect(await migrateUp(test.url, { folder })).toEqual([]);
    },
  );

  itAtNight('releases the lock to a process of an older version that waits inside the database', async () => {
    const [database] = await test.database.query<{ name: string }>('SELECT current_database() AS name');
    await test.database.query(`ALTER DATABASE ${database?.name} SET deadlock_timeout = '50ms'`);
    const open = await writer();
    const making = migrateUp(test.url, { folder });
    await untilOne(MAKES);
    const older = await session();
    await older.query("SET deadlock_timeout = '1min'");
    const passed = older.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    await untilOne(WAITS_AS_BEFORE);

    await open.commit();
    await passed;
    await older.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);

    expect(await making).toEqual(['0002-index']);
    expect(await indexes()).toEqual(WHOLE);
  });

  it('that finds duplicates leaves nothing behind, and the migration is not applied', async () => {
    await test.database.query('INSERT INTO big VALUES (7)');

    await expect(migrateUp(test.url, { folder })).rejects.toThrow(
      'could not create unique index "big_by_id"',
    );

    expect(await indexes()).toEqual(['big_by_name valid']);
    expect(await pendingMigrations(test.url, { folder })).toEqual(['0002-index']);
  });

  itAtNight('that waits too long for a transaction is abandoned, and created by a later start', async () => {
    const open = await writer();

    const patience = { lockWaitMs: 50, concurrentWaitMs: 50 };
    await expect(migrateUp(test.url, { folder, ...patience })).rejects.toThrow('lock timeout');
    await open.commit();

    expect(await migrateUp(test.url, { folder })).toEqual(['0002-index']);
    expect(await indexes()).toEqual(WHOLE);
  });

  it('requires a migration that does nothing else', async () => {
    await write(
      '0002-index',
      'ALTER TABLE big ADD more int;\nCREATE INDEX CONCURRENTLY b ON big (more);\n-- down\n',
    );

    await expect(migrateUp(test.url, { folder })).rejects.toThrow(
      '0002-index.sql contains CREATE INDEX CONCURRENTLY',
    );
  });
});
