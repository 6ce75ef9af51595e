import type { Connection, Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { AskedSearches } from './asked-searches.ts';
import {
  dropOldTotals,
  dropScatteredMatches,
  dropVoidTotals,
  findCommonSearches,
  keepTotal,
  lockTotals,
} from './search-totals.repository.ts';

/** Searches, of which each fills some thirty rows. */
const MOST_KEPT = 2_000;
/** Fewer matches are counted while somebody waits; the rest of what is kept is left to what is asked for. */
const COMMON = { leastFound: 2_000, commonest: 500, most: 100 };

/** Keeps the totals of searches that somebody had to wait for; answers how many were counted. */
export function keepAskedTotals(
  database: Database,
  asked: AskedSearches,
  stopping: AbortSignal,
): Promise<number> {
  return keepTotals(database, asked.take(), stopping);
}

/** Keeps those of the commonest words before anybody asks, so that the first one does not wait either. */
export async function keepCommonTotals(database: Database, stopping: AbortSignal): Promise<number> {
  await locked(database, async (connection) => {
    await dropVoidTotals(connection);
    await keepTotal(connection, null);
    await dropScatteredMatches(connection);
  });
  return keepTotals(database, await findCommonSearches(database, COMMON), stopping);
}

async function keepTotals(
  database: Database,
  searches: readonly string[],
  stopping: AbortSignal,
): Promise<number> {
  let kept = 0;
  for (const search of searches) {
    if (stopping.aborted) break;
    // Each for itself, so that nobody waits for long.
    await locked(database, (connection) => keepTotal(connection, search));
    kept += 1;
  }
  if (kept > 0) await locked(database, (connection) => dropOldTotals(connection, MOST_KEPT));
  return kept;
}

function locked(database: Database, work: (connection: Connection) => Promise<unknown>): Promise<void> {
  return inTransaction(database, async (connection) => {
    await lockTotals(connection);
    await work(connection);
  });
}
