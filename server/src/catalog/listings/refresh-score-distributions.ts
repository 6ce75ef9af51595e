import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  countTotals,
  lockScoreDistributions,
  replaceScoreDistributions,
  replaceTotals,
  wereDistributionsComputed,
} from './score-distributions.queries.ts';

/** Minimum rows to merge, because summing fewer on each read is cheap enough. */
const MIN_ROWS_TO_FOLD = 500;

/**
 * Merges the stored differences into one row per kind of listing. Returns the number of rows removed. Atomic for
 * concurrent readers and writers.
 */
export async function foldTotals(connection: Connection): Promise<number> {
  return (await countTotals(connection)) < MIN_ROWS_TO_FOLD ? 0 : replaceTotals(connection);
}

/** Minutes between counts. Percentiles change slowly, and counting a million listings takes one or two seconds. */
const INTERVAL_MINUTES = 10;

/**
 * Computes the score distribution of each category, so that reads need not. Returns the number of changed categories.
 * Does nothing while another process is computing it.
 */
export function computeScoreDistributions(database: Database): Promise<number> {
  return inTransaction(database, async (connection) =>
    (await lockScoreDistributions(connection)) ? replaceScoreDistributions(connection) : 0,
  );
}

/** Computes the score distribution unless it was done within the last minutes. */
export async function refreshScoreDistributions(database: Database): Promise<number> {
  return (await wereDistributionsComputed(database, INTERVAL_MINUTES))
    ? 0
    : computeScoreDistributions(database);
}
