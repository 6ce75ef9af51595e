import type { Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { lockStandings, replaceStandings, wereStandingsCounted } from './standings.repository.ts';

/** A percentile moves slowly, and a count of a million listings takes a second or two. */
const HOLDS_MINUTES = 10;

/**
 * Counts where listings stand in their categories, so that no read has to; answers how many categories changed. One
 * process counts for all: does nothing where another is at it.
 */
export function countStandings(database: Database): Promise<number> {
  return inTransaction(database, async (connection) =>
    (await lockStandings(connection)) ? replaceStandings(connection) : 0,
  );
}

/** The same unless somebody looked a few minutes ago. */
export async function keepStandings(database: Database): Promise<number> {
  return (await wereStandingsCounted(database, HOLDS_MINUTES)) ? 0 : countStandings(database);
}
