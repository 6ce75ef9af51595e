import type { Connection } from '../../database/connect.ts';

/** How many rows the kept differences fill beyond one per kind of listing. */
export async function countTotals(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ rows: number }>(
    `SELECT (count(*) - count(DISTINCT (type, verified, tier, category, kind, license)))::int AS rows FROM listing_total`,
  );
  return row?.rows ?? 0;
}

// In one statement, so that the sum of all rows is the same for everybody at every moment.
const FOLD = `
WITH gone AS (DELETE FROM listing_total RETURNING type, verified, tier, category, kind, license, difference),
kept AS (INSERT INTO listing_total (type, verified, tier, category, kind, license, difference)
  SELECT type, verified, tier, category, kind, license, sum(difference)::bigint FROM gone
  GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(difference) <> 0 RETURNING 1)
SELECT ((SELECT count(*) FROM gone) - (SELECT count(*) FROM kept))::int AS rows`;

/** Puts one row per kind of listing in the place of all; answers how many rows fewer there are. */
export async function replaceTotals(connection: Connection): Promise<number> {
  const [folded] = await connection.query<{ rows: number }>(FOLD);
  return folded?.rows ?? 0;
}
