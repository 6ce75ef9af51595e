import { readdir, readFile } from 'node:fs/promises';
import type pg from 'pg';
import type { RunnableMigration, Umzug } from 'umzug';
import { packageFile } from '../package-files.ts';
import { requireBaselineSchema } from './adopt-baseline.ts';
import { type HeldLock, withAdvisoryLock } from './advisory-lock.ts';
import { type ConcurrentIndex, createIndexConcurrently, readConcurrentIndexes } from './concurrent-index.ts';
import { inRetriedTransaction, LOCK_WAIT_MS, type LockTimeouts, MAX_WAIT_MS } from './transaction.ts';

/** Selection and source of the migrations to run. */
export interface MigrateOptions {
  /**
   * Full name of the newest migration to apply (up), or of the oldest one to roll back (down). By default, all are
   * applied or rolled back.
   */
  readonly to?: string;
  /** Folder of `NNNN-name.sql` files, for tests. */
  readonly folder?: string;
  /** Lock timeout of one attempt of a migration. */
  readonly lockWaitMs?: number;
  /** Lock timeout of CREATE INDEX CONCURRENTLY, which waits for transactions on the table. */
  readonly concurrentWaitMs?: number;
  /** Called with the names of applied migrations that this version does not know. */
  readonly onUnknown?: (names: readonly string[]) => void;
}

/**
 * Applies the pending migrations and returns their names. Any number of processes may call it at once. In a database
 * that versions before the baseline have migrated, records the baseline as applied, or throws if the schema differs.
 */
export function migrateUp(url: string, options: MigrateOptions = {}): Promise<string[]> {
  return withAdvisoryLock(url, MIGRATION_LOCK, async (client, held) => {
    const { to } = options;
    const adopted = await adoptBaseline(client, options);
    if (to === undefined && (await isUpToDate(client, options))) return adopted;
    const applied = await run({ client, held }, options, (umzug) => umzug.up(to === undefined ? {} : { to }));
    return [...adopted, ...applied];
  });
}

/** Rolls back migrations, newest first, and returns their names. The data of their tables is lost. */
export function migrateDown(url: string, options: MigrateOptions = {}): Promise<string[]> {
  return withAdvisoryLock(url, MIGRATION_LOCK, async (client, held) => {
    const { to } = options;
    if (to !== undefined) await requireApplied(client, to, options);
    return run({ client, held }, options, (umzug) => umzug.down({ to: to ?? 0 }));
  });
}

async function requireApplied(client: pg.Client, name: string, { folder }: MigrateOptions): Promise<void> {
  const baseline = await baselineName(folder);
  const applied = (await appliedMigrations(client)).filter((each) => each >= baseline);
  if (applied.includes(name)) return;
  const [first, last] = [applied[0], applied.at(-1)];
  const known = last === undefined ? 'It has none.' : `It has ${first} to ${last}: name one of them in full.`;
  throw new Error(`The database has no migration "${name}". ${known} Nothing was changed.`);
}

/** Lists the migrations of the folder that are not recorded as applied, oldest first. */
export function pendingMigrations(url: string, options: MigrateOptions = {}): Promise<string[]> {
  return withMigrations(url, options, (umzug) => umzug.pending());
}

/** Lists the names of all migrations of the project, oldest first: the baseline and those after it. */
export async function migrationNames(): Promise<string[]> {
  return (await migrationFiles(MIGRATIONS_FOLDER)).map(nameOf);
}

const MIGRATIONS_FOLDER = packageFile('migrations');
const MIGRATION_FILE = /^\d{4}-[a-z0-9-]+\.sql$/;
const DOWN_MARKER = /^-- down[ \t]*$/m;

/** Key of the advisory lock that makes migrations of several processes run one after the other; an arbitrary number. */
export const MIGRATION_LOCK = 7_310_042;

/** Session and lock of the process that migrates. */
interface Migrator {
  readonly client: pg.Client;
  readonly held: HeldLock;
}

type Work = (umzug: Umzug<Migrator>) => Promise<{ name: string }[]>;

function withMigrations(url: string, options: MigrateOptions, work: Work): Promise<string[]> {
  return withAdvisoryLock(url, MIGRATION_LOCK, (client, held) => run({ client, held }, options, work));
}

async function run(context: Migrator, options: MigrateOptions, work: Work): Promise<string[]> {
  // Loaded only if there are migrations to run, because umzug imports a command-line library, which takes 100 ms.
  const { Umzug } = await import('umzug');
  const umzug = new Umzug<Migrator>({
    migrations: await readMigrations(options),
    context,
    storage: BOOKKEEPING,
    logger: undefined,
  });
  return (await work(umzug)).map(({ name }) => name);
}

/**
 * Records the baseline as applied in a database that earlier versions have migrated, and returns its name in a list.
 * Otherwise returns an empty list. Keeps the rows of the earlier migrations, so that servers of the previous version
 * can start.
 */
async function adoptBaseline(
  client: pg.Client,
  { folder = MIGRATIONS_FOLDER, lockWaitMs = LOCK_WAIT_MS }: MigrateOptions,
): Promise<string[]> {
  const applied = await appliedMigrations(client);
  const name = await baselineName(folder);
  const former = applied.filter((each) => each < name);
  if (former.length === 0 || applied.includes(name)) return [];
  const file = `${name}.sql`;
  const { up: statements } = splitMigration(file, await readFile(`${folder}/${file}`, 'utf8'));
  await inRetriedTransaction(client, lockWaitMs, async () => {
    await requireBaselineSchema(client, former, { name, statements });
    await client.query(INSERT_APPLIED, [name]);
  });
  return [name];
}

/** Returns the name of the first migration of a folder. Names that sort before it are those of earlier versions. */
async function baselineName(folder = MIGRATIONS_FOLDER): Promise<string> {
  return nameOf((await migrationFiles(folder))[0] ?? '');
}

/**
 * Returns true if every migration of the folder is applied, as at every start except the first one of a new version.
 * Passes applied migrations that the folder does not have to `onUnknown`.
 */
async function isUpToDate(
  client: pg.Client,
  { folder = MIGRATIONS_FOLDER, onUnknown }: MigrateOptions,
): Promise<boolean> {
  const applied = new Set(await appliedMigrations(client));
  const known = (await migrationFiles(folder)).map(nameOf);
  const baseline = await baselineName(folder);
  const unknown = [...applied].filter((name) => name >= baseline && !known.includes(name));
  if (unknown.length > 0) onUnknown?.(unknown);
  return known.every((name) => applied.has(name));
}

/** Warns that the schema is newer than this version. The server still runs, because servers are upgraded one by one. */
export function warnOfUnknownMigrations(names: readonly string[]): void {
  process.stderr.write(
    `The database has migrations that this version does not know (${names.join(', ')}), because a newer version has migrated it: ` +
      `start that version here too, or roll back with its command "migrate --down-to ${names[0]}".\n`,
  );
}

/**
 * Storage with which umzug only reads the applied migrations. Each migration's transaction writes the row of the
 * migration itself, so that both commit together.
 */
const BOOKKEEPING = {
  logMigration: async () => undefined,
  unlogMigration: async () => undefined,
  executed: ({ context }: { context: Migrator }) => appliedMigrations(context.client),
};

/** Lists the names of the applied migrations, oldest first, including those that the baseline replaces. */
export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const found = await client.query<{ there: boolean }>(
    "SELECT to_regclass('schema_migration') IS NOT NULL AS there",
  );
  if (!found.rows[0]?.there) return [];
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY name');
  return rows.map(({ name }) => name);
}

const CREATE_BOOKKEEPING = `CREATE TABLE IF NOT EXISTS schema_migration (
  name text PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)`;
const INSERT_APPLIED = 'INSERT INTO schema_migration (name) VALUES ($1)';
/** SQLSTATE of a deadlock. */
const DEADLOCK = '40P01';

async function migrationFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((file) => MIGRATION_FILE.test(file)).sort();
}

function nameOf(file: string): string {
  return file.slice(0, -'.sql'.length);
}

async function readMigrations({
  folder = MIGRATIONS_FOLDER,
  lockWaitMs = LOCK_WAIT_MS,
  concurrentWaitMs = MAX_WAIT_MS,
}: MigrateOptions): Promise<RunnableMigration<Migrator>[]> {
  return Promise.all(
    (await migrationFiles(folder)).map(async (file) => {
      const name = nameOf(file);
      const { up, down } = splitMigration(file, await readFile(`${folder}/${file}`, 'utf8'));
      const indexes = readConcurrentIndexes(file, up);
      return {
        name,
        up: ({ context }) =>
          indexes.length > 0
            ? applyIndexes(context, name, indexes, { lockWaitMs, concurrentWaitMs })
            : apply(context.client, name, up, lockWaitMs),
        down: ({ context }) => rollBack(context.client, name, down, lockWaitMs),
      };
    }),
  );
}

/** Splits a migration at the line `-- down` into the statements that apply it and those that roll it back. */
function splitMigration(file: string, text: string): { up: string; down: string } {
  const parts = text.split(DOWN_MARKER);
  const [up, down] = parts;
  if (parts.length !== 2 || up === undefined || down === undefined) {
    throw new Error(`${file} must contain the line "-- down" exactly once`);
  }
  return { up, down };
}

async function apply(client: pg.Client, name: string, statements: string, lockWaitMs: number): Promise<void> {
  await inRetriedTransaction(client, lockWaitMs, async () => {
    await client.query(CREATE_BOOKKEEPING);
    await client.query(statements);
    await client.query(INSERT_APPLIED, [name]);
  });
}

/**
 * Creates each index of the migration. Valid indexes remain, so that a process continues where a killed one stopped.
 */
async function applyIndexes(
  { client, held }: Migrator,
  name: string,
  indexes: readonly ConcurrentIndex[],
  patience: LockTimeouts,
): Promise<void> {
  while (!(await appliedMigrations(client)).includes(name)) {
    try {
      for (const index of indexes) await createIndexConcurrently(client, index, patience);
      await apply(client, name, '', patience.lockWaitMs);
    } catch (error) {
      if ((error as pg.DatabaseError).code !== DEADLOCK) throw error;
      // A server of an older version waits inside PostgreSQL for this lock, and the index waits for that server's
      // snapshot. Releasing the lock resolves the deadlock.
      await held.release();
      await held.acquire();
    }
  }
}

async function rollBack(
  client: pg.Client,
  name: string,
  statements: string,
  lockWaitMs: number,
): Promise<void> {
  await inRetriedTransaction(client, lockWaitMs, async () => {
    await client.query(statements);
    await client.query('DELETE FROM schema_migration WHERE name = $1', [name]);
    const { rowCount } = await client.query('SELECT FROM schema_migration LIMIT 1');
    if (rowCount === 0) await client.query('DROP TABLE schema_migration');
  });
}
