import type { Connection } from '../../database/connect.ts';

/** Shared by all that count standings, and by nothing else. */
const LOCK = 7_202_710;
/** In fewer, a share in percent says more than is known. */
const FEWEST = 20;

/** Whether this transaction is the one that counts now; where another is, there is nothing left to do. */
export async function lockStandings(connection: Connection): Promise<boolean> {
  const [row] = await connection.query<{ free: boolean }>(
    `SELECT pg_try_advisory_xact_lock(${LOCK}) AS free`,
  );
  return row?.free ?? false;
}

/** Whether somebody has looked within so many minutes. */
export async function wereStandingsCounted(connection: Connection, minutes: number): Promise<boolean> {
  const [row] = await connection.query<{ recent: boolean }>(
    `SELECT coalesce(max(looked_at) > ledger_now() - $1 * interval '1 minute', false) AS recent FROM standing_look`,
    [minutes],
  );
  return row?.recent ?? false;
}

// A row that says the same stays as it is, for a day at most: a change of it makes every kept answer be made anew.
const COUNT = `
WITH counted AS MATERIALIZED (
  SELECT type, category, count(*)::int AS among,
    percentile_disc(ARRAY(SELECT percent / 100.0 FROM generate_series(1, 99) AS percent)) WITHIN GROUP (ORDER BY trust) AS bounds
  FROM listing_rank WHERE trust IS NOT NULL GROUP BY type, category HAVING count(*) >= ${FEWEST}),
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

/** Counts how each category is spread by trust; answers how many rows changed with it. */
export async function replaceStandings(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ rows: number }>(COUNT);
  return row?.rows ?? 0;
}
