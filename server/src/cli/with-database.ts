import { InvalidArgumentError } from 'commander';
import type { PlanBook } from '../access/plans/plans.ts';
import type { Config } from '../platform/config/load-config.ts';
import type { Database } from '../platform/database/connect.ts';

/** Exit code of a command that Ctrl-C or SIGTERM has interrupted. */
export const INTERRUPTED = 130;

/** Returns a signal that the first Ctrl-C or SIGTERM aborts. The command then finishes its current batch and ends. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => controller.abort());
  return controller.signal;
}

export interface Tools {
  config: Config;
  database: Database;
  /** URL of `database`, for a session outside its connection pool. */
  databaseUrl: string;
  planBook: PlanBook;
}

/** Statement timeout of ten minutes, because a command, unlike a request, may read a whole table. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/**
 * Opens and migrates the database for one command, and closes it when the work has ended or failed. Imports the
 * database modules only when called, because commands such as --help need none of them.
 */
export async function withDatabase(work: (tools: Tools) => Promise<void>): Promise<void> {
  const { readConfig } = await import('../platform/config/process-config.ts');
  const config = readConfig();
  const { readPlanBook } = await import('../access/plans/plans.ts');
  const planBook = readPlanBook(config.plansFile);
  const { openWhileLoading } = await import('../platform/embedded-postgres/embedded-postgres.ts');
  const { opening, loading } = openWhileLoading(config, loadDatabase);
  const { url, embedded, stop } = await opening;
  const { connect, migrateUp, requireKeptStatements, unusableDatabase, warnOfUnknownMigrations } =
    await loading;
  const { databasePreparedStatements: preparedStatements } = config;
  try {
    try {
      if (preparedStatements && !embedded) await requireKeptStatements(url);
      await migrateUp(url, { onUnknown: warnOfUnknownMigrations });
    } catch (error) {
      throw embedded ? error : unusableDatabase(error);
    }
    const database = connect(url, {
      poolSize: 4,
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      applicationName: 'trust-directory-cli',
      preparedStatements,
    });
    try {
      await work({ config, database, databaseUrl: url, planBook });
    } finally {
      await database.close();
    }
  } finally {
    await stop();
  }
}

/** Imports the modules that connect and migrate, while the database starts. */
async function loadDatabase() {
  const [
    { connect },
    { migrateUp, warnOfUnknownMigrations },
    { requirePreparedStatements: requireKeptStatements },
    { unusableDatabase },
  ] = await Promise.all([
    import('../platform/database/connect.ts'),
    import('../platform/database/migrate.ts'),
    import('../platform/database/unusable-database.ts'),
    import('../platform/database/unusable-database.ts'),
  ]);
  return { connect, migrateUp, requireKeptStatements, unusableDatabase, warnOfUnknownMigrations };
}

/** Prints one result line on stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const LARGEST = 1_000_000_000;

/** Parses a whole number from 1 to a billion. */
export function positiveInteger(text: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > LARGEST) {
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${LARGEST}.`);
  }
  return value;
}

/** Parses a whole number other than 0, from minus to plus a billion. */
export function wholeNumber(text: string): number {
  const value = Number(text);
  if (!/^[+-]?\d+$/.test(text) || value === 0 || Math.abs(value) > LARGEST) {
    throw new InvalidArgumentError(`It must be a whole number other than 0, from -${LARGEST} to ${LARGEST}.`);
  }
  return value;
}

/** Prints rows as aligned columns with a header. */
export function printTable(rows: Record<string, string | number | null>[]): void {
  const [first] = rows;
  if (!first) return;
  const names = Object.keys(first);
  const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '-')))];
  const widths = names.map((_, column) => Math.max(...lines.map((line) => (line[column] ?? '').length)));
  for (const line of lines)
    print(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
