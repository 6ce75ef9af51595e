import type { Connection, Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import type { AskedSearches } from './asked-searches.ts';
import {
  dropOldTotals,
  dropVoidTotals,
  findCommonSearches,
  keepTotal,
  lockTotals,
} from './search-totals.repository.ts';

/** Some hundred rows each at most. */
const MOST_KEPT = 1_000;
/** Fewer are counted while somebody waits. */
const COMMON = 2_000;
const MOST_AT_ONCE = 100;

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
  });
  return keepTotals(database, await findCommonSearches(database, COMMON, MOST_AT_ONCE), stopping);
}

async function keepTotals(
  database: Database,
  searches: readonly string[],
  stopping: AbortSignal,
): Promise<number> {
  let kept = 0;
  for (const search of searches) {
    if (stopping.aborted) break;
    if (await locked(database, (connection) => keepTotal(connection, search))) kept += 1;
  }
  if (kept > 0) await locked(database, (connection) => dropOldTotals(connection, MOST_KEPT));
  return kept;
}

/** Answers whether it was done: where another process keeps totals just now, it is not. */
function locked(database: Database, work: (connection: Connection) => Promise<unknown>): Promise<boolean> {
  return inTransaction(database, async (connection) => {
    if (!(await lockTotals(connection))) return false;
    await work(connection);
    return true;
  });
}
