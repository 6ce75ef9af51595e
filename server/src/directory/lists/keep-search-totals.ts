import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import type { AskedSearches } from './asked-searches.ts';
import {
  dropOldTotals,
  dropScatteredMatches,
  dropVoidTotals,
  findCommonSearches,
  keepTotal,
  lockTotals,
} from './search-totals.queries.ts';

/** Maximum searches with stored totals. Each has about thirty rows. */
const MAX_KEPT = 2_000;
/** Thresholds for common searches; others are counted on request. */
const COMMON = { leastFound: 2_000, commonest: 500, most: 100 };

/** Stores totals of searches that were recently counted on request. Returns the number of searches counted. */
export function keepAskedTotals(
  database: Database,
  asked: AskedSearches,
  stopping: AbortSignal,
): Promise<number> {
  return keepTotals(database, asked.take(), stopping);
}

/** Stores totals of searches for the most common words in advance, so that the first user does not wait either. */
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
    // Uses one transaction per search, so that each holds the lock only briefly.
    await locked(database, (connection) => keepTotal(connection, search));
    kept += 1;
  }
  if (kept > 0) await locked(database, (connection) => dropOldTotals(connection, MAX_KEPT));
  return kept;
}

function locked(database: Database, work: (connection: Connection) => Promise<unknown>): Promise<void> {
  return inTransaction(database, async (connection) => {
    await lockTotals(connection);
    await work(connection);
  });
}
