import { type Config, loadConfig, readEnvironment } from '../config/load-config.ts';
import { connect, type Database } from '../database/connect.ts';
import { migrateUp } from '../database/migrate.ts';
import { openDatabase } from '../database/open-database.ts';
import { requireKeptStatements } from '../database/require-kept-statements.ts';
import { type PlanBook, readPlanBook } from '../plans/plans.ts';

export interface Tools {
  config: Config;
  database: Database;
  /** Where `database` is, for a session of one's own. */
  databaseUrl: string;
  planBook: PlanBook;
}

/** An operator's statement may read a whole table, which a request's must not. */
const STATEMENT_TIMEOUT_MS = 10 * 60_000;

/** Opens the database for one command, migrated, and leaves it when the work is done or has failed. */
export async function withDatabase(work: (tools: Tools) => Promise<void>): Promise<void> {
  const config = loadConfig(readEnvironment());
  const planBook = readPlanBook(config.plansFile);
  const { url, embedded, stop } = await openDatabase(config);
  const { databasePreparedStatements: preparedStatements } = config;
  try {
    if (preparedStatements && !embedded) await requireKeptStatements(url);
    await migrateUp(url);
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

/** Prints one result line on stdout. */
export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
