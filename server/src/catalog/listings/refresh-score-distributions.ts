import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/transaction.ts';

/**
 * Minimum number of rows that a merge must remove. With fewer, rows are not merged: summing them on each read is cheap.
 */
const MIN_ROWS_TO_FOLD = 500;

/**
 * Merges the rows of `listing_total` into at most one per combination of filter values, unless this would remove few
 * rows. Returns the number of rows removed. Concurrent readers and writers see either all old rows or the merged ones.
 */
export async function foldTotals(connection: Connection): Promise<number> {
  return (await countTotals(connection)) < MIN_ROWS_TO_FOLD ? 0 : replaceTotals(connection);
}

/**
 * Minimum minutes between two computations of the score distributions. Percentiles change slowly, and computing them
 * for a million listings takes one or two seconds.
 */
const INTERVAL_MINUTES = 10;

/**
 * Computes the score distribution of each type and category, so that no request has to compute it. Returns the number
 * of changed categories. Does nothing while another process computes it.
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

/** Counts the rows that a merge would remove: all but one per combination of filter values. */
async function countTotals(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ rows: number }>(
    `SELECT (count(*) - count(DISTINCT (type, verified, tier, category, kind, license)))::int AS rows FROM listing_total`,
  );
  return row?.rows ?? 0;
}

// Replaces the rows in one statement, so that concurrent readers always get the same sum.
const FOLD = `
WITH gone AS (DELETE FROM listing_total RETURNING type, verified, tier, category, kind, license, difference),
kept AS (INSERT INTO listing_total (type, verified, tier, category, kind, license, difference)
  SELECT type, verified, tier, category, kind, license, sum(difference)::bigint FROM gone
  GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(difference) <> 0 RETURNING 1)
SELECT ((SELECT count(*) FROM gone) - (SELECT count(*) FROM kept))::int AS rows`;

/** Replaces all rows with at most one per combination of filter values. Returns the number of rows removed. */
async function replaceTotals(connection: Connection): Promise<number> {
  const [folded] = await connection.query<{ rows: number }>(FOLD);
  return folded?.rows ?? 0;
}

/** Id of the advisory lock for computing score distributions. */
const DISTRIBUTION_LOCK = 7_202_710;
/**
 * Minimum scored listings of a type and category for which a distribution is stored. With fewer, a percentage would
 * suggest more precision than there is.
 */
const MIN_LISTINGS = 20;

/** Takes the lock for computing score distributions, without waiting. Returns false if another transaction has it. */
export async function lockScoreDistributions(connection: Connection): Promise<boolean> {
  const [row] = await connection.query<{ free: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${DISTRIBUTION_LOCK}) AS free`,
  );
  return row?.free ?? false;
}

/** Returns true if score distributions were computed within the last `minutes`. */
async function wereDistributionsComputed(connection: Connection, minutes: number): Promise<boolean> {
  const [row] = await connection.query<{ recent: boolean }>(
    `SELECT coalesce(max(looked_at) > ledger_now() - $1 * interval '1 minute', false) AS recent FROM standing_look`,
    [minutes],
  );
  return row?.recent ?? false;
}

// A row whose percentiles are unchanged is rewritten at most once a day, because every change invalidates cached
// responses.
const COUNT = `
WITH counted AS MATERIALIZED (
  SELECT type, category, count(*)::int AS among,
    percentile_disc(ARRAY(SELECT percent / 100.0 FROM generate_series(1, 99) AS percent)) WITHIN GROUP (ORDER BY trust) AS bounds
  FROM listing_rank WHERE trust IS NOT NULL GROUP BY type, category HAVING count(*) >= ${MIN_LISTINGS}),
gone AS (DELETE FROM category_standing s
  WHERE NOT EXISTS (SELECT FROM counted c WHERE c.type = s.type AND c.category = s.category) RETURNING 1),
looked AS (UPDATE standing_look SET looked_at = ledger_now() RETURNING 1),
kept AS (
  INSERT INTO category_standing AS s (type, category, among, bounds, counted_at)
  SELECT type, category, among, bounds, ledger_now() FROM counted
  ON CONFLICT (type, category) DO UPDATE
    SET among = excluded.among, bounds = excluded.bounds, counted_at = excluded.counted_at
    WHERE s.bounds <> excluded.bounds OR s.counted_at < excluded.counted_at - interval '1 day'
  RETURNING 1)
SELECT ((SELECT count(*) FROM gone) + (SELECT count(*) FROM kept))::int AS rows FROM looked`;

/** Computes the distribution of trust scores per category. Returns the number of changed rows. */
async function replaceScoreDistributions(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ rows: number }>(COUNT);
  return row?.rows ?? 0;
}
