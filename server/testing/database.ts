import { inject } from 'vitest';
import type { ConnectOptions, Database } from '../src/platform/database/connect.ts';
import {
  closeToSessions,
  createClone,
  dropClone,
  openClone,
  type TestDatabase as TestClone,
} from './clone-database.ts';
import { findOutdatedCopies } from './outdated-copies.ts';

export interface TestDatabase extends TestClone {
  /**
   * Deletes all rows between two tests of a file, and makes a replaced clock follow real time. A new database would be a
   * clone of 600 files, and its sessions would plan every statement again: files that call this need half as much of
   * PostgreSQL's time. Like `close`, it throws if a listing's copies are outdated.
   */
  empty(): Promise<void>;
}

export interface TestDatabaseOptions extends ConnectOptions {
  /** Makes a database without any migration. */
  readonly empty?: boolean;
  /** True for a test that writes single tables: `close` then does not compare listings with their copies in other tables. */
  readonly outdatedCopies?: boolean;
}

/**
 * Makes a fresh migrated database as a clone of the run's template. `close` throws if a write to a listing did not
 * update the listing's copies in other tables.
 */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const serverUrl = inject('testServerUrl');
  const name = await (options.empty
    ? createClone(serverUrl, 'template0')
    : takeClone(serverUrl, inject('testTemplate')));
  return openTest(serverUrl, name, options);
}

/** Databases that were filled in this worker, with what filling them returned. They end with the server. */
const filledOnce = new Map<string, Promise<{ name: string; made: unknown }>>();

/**
 * Makes a fresh database with contents that `fill` stores, as a clone of a database that is filled once per worker. `key`
 * names the contents: the same key means the same contents, in every file. What `fill` returns is returned each time, so
 * it must not be changed.
 */
export async function createFilledDatabase<T>(
  key: string,
  fill: (filled: Omit<TestClone, 'close'>) => Promise<T>,
  options: ConnectOptions = {},
): Promise<TestDatabase & { readonly made: T }> {
  const [serverUrl, template] = [inject('testServerUrl'), inject('testTemplate')];
  if (!IS_OWN_SERVER) {
    const test = await createTestDatabase(options);
    return { ...test, made: await fill(test) };
  }
  const place = `${template} ${key}`;
  const filling = filledOnce.get(place) ?? fillClone(serverUrl, takeClone(serverUrl, template), fill);
  filledOnce.set(place, filling);
  const { name, made } = await filling;
  // Not taken from the spares: most contents are opened by one file, which would leave its spare unused.
  return { ...openTest(serverUrl, await createClone(serverUrl, name), options), made: made as T };
}

async function fillClone<T>(
  serverUrl: string,
  taken: Promise<string>,
  fill: (filled: Omit<TestClone, 'close'>) => Promise<T>,
): Promise<{ name: string; made: T }> {
  const name = await taken;
  const { database, url } = openClone(serverUrl, name, {});
  const made = await fill({ database, url }).finally(() => database.close());
  await closeToSessions(serverUrl, name);
  return { name, made };
}

/** Limits that only end a hanging test: on a busy machine, sessions and statements can take longer than a server allows. */
const PATIENT = { acquireTimeoutMs: 30_000, statementTimeoutMs: 30_000 };

function openTest(serverUrl: string, name: string, options: TestDatabaseOptions): TestDatabase {
  const { empty = false, outdatedCopies = false, ...connectOptions } = options;
  const { database, url } = openClone(serverUrl, name, { ...PATIENT, ...connectOptions });
  const checkThen = async (end: () => Promise<unknown>) => {
    const isChecked = !empty && !outdatedCopies;
    const outdated = await (isChecked ? findOutdatedCopies(database) : Promise.resolve([])).finally(end);
    if (outdated.length > 0) throw new Error(`copies of listings are outdated: ${JSON.stringify(outdated)}`);
  };
  const drop = async () => {
    await database.close();
    await dropInBackground(serverUrl, name);
  };
  return { database, url, empty: () => checkThen(() => deleteRows(database)), close: () => checkThen(drop) };
}

/** Deletes what a test stored. Triggers do not run, because they would record changes and refuse to delete ledger entries. */
async function deleteRows(database: Database): Promise<void> {
  await database.query(`DO $$
    DECLARE name text;
    BEGIN
      SET LOCAL session_replication_role = replica;
      FOR name IN SELECT oid::regclass FROM pg_class WHERE relnamespace = 'public'::regnamespace AND NOT relispartition
        AND (relkind = 'p' OR relkind = 'r' AND pg_relation_size(oid) > 0) AND relname NOT IN ('schema_migration', 'test_clock')
      LOOP EXECUTE 'DELETE FROM ' || name; END LOOP;
      INSERT INTO standing_look DEFAULT VALUES;
      IF to_regclass('test_clock') IS NOT NULL THEN UPDATE test_clock SET fixed = NULL, shift = '0'; END IF;
    END $$`);
}

/** True if the server ends with the run, so that clones which background work leaves behind are removed with it. */
const IS_OWN_SERVER = !process.env.TEST_DATABASE_URL;

/** Clones that are made while a test runs, for the next test of this worker, by template. */
const spares = new Map<string, Promise<string>>();
let lastDrop = Promise.resolve();

/** Returns the name of a new clone, and begins to make the next one. */
async function takeClone(serverUrl: string, template: string): Promise<string> {
  if (!IS_OWN_SERVER) return createClone(serverUrl, template);
  const current = spares.get(template) ?? createClone(serverUrl, template);
  // If this fails, the next test that takes the clone gets the error. Without such a test, the error is ignored.
  const next = current.catch(() => null).then(() => createClone(serverUrl, template));
  next.catch(() => undefined);
  spares.set(template, next);
  return current;
}

/** Drops a clone during the next tests. If it fails, the next call throws. */
async function dropInBackground(serverUrl: string, name: string): Promise<void> {
  await lastDrop;
  lastDrop = dropClone(serverUrl, name);
  lastDrop.catch(() => undefined);
  if (!IS_OWN_SERVER) await lastDrop;
}
