import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';
import {
  countTotals,
  lockScoreDistributions,
  replaceScoreDistributions,
  replaceTotals,
  wereDistributionsComputed,
} from './score-distributions.queries.ts';

/** Minimum rows beyond one per kind of listing. Fewer are not merged, because summing them on each read is cheap. */
const MIN_ROWS_TO_FOLD = 500;

/**
 * Merges the stored differences into one row per kind of listing. Returns the number of rows removed. Concurrent
 * readers and writers see either all old rows or the merged ones.
 */
export async function foldTotals(connection: Connection): Promise<number> {
  return (await countTotals(connection)) < MIN_ROWS_TO_FOLD ? 0 : replaceTotals(connection);
}

/**
 * Minutes between two computations. Percentiles change slowly, and computing them for a million listings takes one or
 * two seconds.
 */
const INTERVAL_MINUTES = 10;

/**
 * Computes the score distribution of each category, so that reads need not. Returns the number of changed categories.
 * Does nothing while another process computes it.
 */
export function computeScoreDistributions(database: Database): Promise<number> {
  return inTransaction(database, async (connection) =>
    (await lockScoreDistributions(connection)) ? replaceScoreDistributions(connection) : 0,
  );
}

/**
 * Computes the score distribution unless it was computed within the last 10 minutes. Returns the number of changed
 * categories.
 */
export async function refreshScoreDistributions(database: Database): Promise<number> {
  return (await wereDistributionsComputed(database, INTERVAL_MINUTES))
    ? 0
    : computeScoreDistributions(database);
}
