import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import type { RunnableMigration, Umzug } from 'umzug';
import { type HeldLock, withAdvisoryLock } from './advisory-lock.ts';
import { type ConcurrentIndex, makeConcurrently, readConcurrentIndexes } from './concurrent-index.ts';
import { inPatientTransaction, LOCK_WAIT_MS, LONGEST_WAIT_MS, type Patience } from './patient-transaction.ts';

/** Which migrations to run, and from where. */
export interface MigrateOptions {
  /** The last migration to apply (up) or the first to take back (down), by its whole name; all of them when left out. */
  readonly to?: string;
  /** Another folder of `NNNN-name.sql` files; tests use it. */
  readonly folder?: string;
  /** How long one try of a migration waits for each lock. */
  readonly lockWaitMs?: number;
  /** How long an index that is made concurrently waits for those who keep the table busy. */
  readonly concurrentWaitMs?: number;
  /** Receives the names of migrations that the database has and this version does not know. */
  readonly onUnknown?: (names: readonly string[]) => void;
}

/** Applies what is missing and answers the names of what it applied. Any number of processes may call it at once. */
export function migrateUp(url: string, options: MigrateOptions = {}): Promise<string[]> {
  return withAdvisoryLock(url, MIGRATION_LOCK, async (client, held) => {
    const { to } = options;
    if (to === undefined && (await isUpToDate(client, options))) return [];
    return run({ client, held }, options, (umzug) => umzug.up(to === undefined ? {} : { to }));
  });
}

/** Takes migrations back, newest first, and answers their names. What their tables held is lost. */
export function migrateDown(url: string, options: MigrateOptions = {}): Promise<string[]> {
  return withAdvisoryLock(url, MIGRATION_LOCK, async (client, held) => {
    const { to } = options;
    if (to !== undefined) await requireApplied(client, to);
    return run({ client, held }, options, (umzug) => umzug.down({ to: to ?? 0 }));
  });
}

async function requireApplied(client: pg.Client, name: string): Promise<void> {
  const applied = await appliedMigrations(client);
  if (applied.includes(name)) return;
  const [first, last] = [applied[0], applied.at(-1)];
  const known = last === undefined ? 'It has none.' : `It has ${first} to ${last}: name one of them in full.`;
  throw new Error(`The database has no migration "${name}". ${known} Nothing was changed.`);
}

/** The names of the migrations that `migrateUp` would apply. */
export function pendingMigrations(url: string, options: MigrateOptions = {}): Promise<string[]> {
  return withMigrations(url, options, (umzug) => umzug.pending());
}

/** The names of all migrations of the project, oldest first. */
export async function migrationNames(): Promise<string[]> {
  return (await migrationFiles(MIGRATIONS_FOLDER)).map(nameOf);
}

/** The built server lies as deep in the package as src/database. */
const MIGRATIONS_FOLDER = fileURLToPath(new URL('../../migrations', import.meta.url));
const MIGRATION_FILE = /^\d{4}-[a-z0-9-]+\.sql$/;
const DOWN_MARKER = /^-- down[ \t]*$/m;

/** Any fixed number: it names our lock among the advisory locks of the database. */
export const MIGRATION_LOCK = 7_310_042;

/** Who migrates: its session, and the lock that keeps the others waiting. */
interface Migrator {
  readonly client: pg.Client;
  readonly held: HeldLock;
}

type Work = (umzug: Umzug<Migrator>) => Promise<{ name: string }[]>;

function withMigrations(url: string, options: MigrateOptions, work: Work): Promise<string[]> {
  return withAdvisoryLock(url, MIGRATION_LOCK, (client, held) => run({ client, held }, options, work));
}

async function run(context: Migrator, options: MigrateOptions, work: Work): Promise<string[]> {
  // Loaded only where there is work: it brings a command line of its own, which costs a tenth of a second.
  const { Umzug } = await import('umzug');
  const umzug = new Umzug<Migrator>({
    migrations: await readMigrations(options),
    context,
    storage: BOOKKEEPING,
    logger: undefined,
  });
  return (await work(umzug)).map(({ name }) => name);
}

/** Whether every migration of the folder has been applied, as on all starts but the first of a version. */
async function isUpToDate(
  client: pg.Client,
  { folder = MIGRATIONS_FOLDER, onUnknown }: MigrateOptions,
): Promise<boolean> {
  const applied = new Set(await appliedMigrations(client));
  const known = (await migrationFiles(folder)).map(nameOf);
  const unknown = [...applied].filter((name) => !known.includes(name));
  if (unknown.length > 0) onUnknown?.(unknown);
  return known.every((name) => applied.has(name));
}

/** Warns an operator of a schema that is newer than this version: it serves while servers are upgraded, and not for longer. */
export function warnOfUnknownMigrations(names: readonly string[]): void {
  process.stderr.write(
    `The database has migrations that this version does not know (${names.join(', ')}), because a newer version has been at work: ` +
      `start that version here too, or go back with its command "migrate --down-to ${names[0]}".\n`,
  );
}

/** umzug only reads: the row is written by the migration's own transaction, so that neither is ever without the other. */
const BOOKKEEPING = {
  logMigration: async () => undefined,
  unlogMigration: async () => undefined,
  executed: ({ context }: { context: Migrator }) => appliedMigrations(context.client),
};

/** The names of what has been applied to the database, oldest first. */
export async function appliedMigrations(client: pg.Client): Promise<string[]> {
  const found = await client.query<{ there: boolean }>(
    "SELECT to_regclass('schema_migration') IS NOT NULL AS there",
  );
  if (!found.rows[0]?.there) return [];
  const { rows } = await client.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY name');
  return rows.map(({ name }) => name);
}

const REMEMBER = `CREATE TABLE IF NOT EXISTS schema_migration (
  name text PRIMARY KEY,
  applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
)`;
const REMEMBER_ONE = 'INSERT INTO schema_migration (name) VALUES ($1)';
/** Two sessions would have waited for each other. */
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
  concurrentWaitMs = LONGEST_WAIT_MS,
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
        down: ({ context }) => takeBack(context.client, name, down, lockWaitMs),
      };
    }),
  );
}

/** The part before the line `-- down` makes the change, the part after it takes it back. */
function splitMigration(file: string, text: string): { up: string; down: string } {
  const parts = text.split(DOWN_MARKER);
  const [up, down] = parts;
  if (parts.length !== 2 || up === undefined || down === undefined) {
    throw new Error(`${file} must hold the line "-- down" exactly once`);
  }
  return { up, down };
}

async function apply(client: pg.Client, name: string, statements: string, lockWaitMs: number): Promise<void> {
  await inPatientTransaction(client, lockWaitMs, async () => {
    await client.query(REMEMBER);
    await client.query(statements);
    await client.query(REMEMBER_ONE, [name]);
  });
}

/** Each index is whole or made anew, so that a process which takes over from one that was killed begins where that was. */
async function applyIndexes(
  { client, held }: Migrator,
  name: string,
  indexes: readonly ConcurrentIndex[],
  patience: Patience,
): Promise<void> {
  while (!(await appliedMigrations(client)).includes(name)) {
    try {
      for (const index of indexes) await makeConcurrently(client, index, patience);
      await apply(client, name, '', patience.lockWaitMs);
    } catch (error) {
      if ((error as pg.DatabaseError).code !== DEADLOCK) throw error;
      // A server of an older version waits inside PostgreSQL for this lock, and its snapshot is what the index waits for.
      await held.release();
      await held.take();
    }
  }
}

async function takeBack(
  client: pg.Client,
  name: string,
  statements: string,
  lockWaitMs: number,
): Promise<void> {
  await inPatientTransaction(client, lockWaitMs, async () => {
    await client.query(statements);
    await client.query('DELETE FROM schema_migration WHERE name = $1', [name]);
    const { rowCount } = await client.query('SELECT FROM schema_migration LIMIT 1');
    if (rowCount === 0) await client.query('DROP TABLE schema_migration');
  });
}
