import type { Config } from '../config/load-config.ts';
import type { Database } from '../database/connect.ts';
import type { PlanBook } from '../plans/plans.ts';

export interface Tools {
  config: Config;
  database: Database;
  /** Where `database` is, for a session of one's own. */
  databaseUrl: string;
  planBook: PlanBook;
}

/** An operator's statement may read a whole table, which a request's must not. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/**
 * Opens the database for one command, migrated, and leaves it when the work is done or has failed. What that takes is loaded
 * now: a command that only tells of itself needs none of it.
 */
export async function withDatabase(work: (tools: Tools) => Promise<void>): Promise<void> {
  const { readConfig } = await import('../config/read-config.ts');
  const config = readConfig();
  const { readPlanBook } = await import('../plans/plans.ts');
  const planBook = readPlanBook(config.plansFile);
  const { openWhileLoading } = await import('../database/open-database.ts');
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

/** Loaded while the database starts. */
async function loadDatabase() {
  const [
    { connect },
    { migrateUp, warnOfUnknownMigrations },
    { requireKeptStatements },
    { unusableDatabase },
  ] = await Promise.all([
    import('../database/connect.ts'),
    import('../database/migrate.ts'),
    import('../database/require-kept-statements.ts'),
    import('../database/unusable-database.ts'),
  ]);
  return { connect, migrateUp, requireKeptStatements, unusableDatabase, warnOfUnknownMigrations };
}

/** Prints one result line on stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
