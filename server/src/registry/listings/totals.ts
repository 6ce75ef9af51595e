import type { Connection } from '../../database/connect.ts';

export interface TotalFilters {
  type?: string | null;
  verified: boolean | null;
  tier: string | null;
  category: string | null;
}

/** How many listings match, exactly, from the kept totals: the cost is the same for ten listings and ten million. */
export async function readTotal(connection: Connection, filters: TotalFilters): Promise<number> {
  const [row] = await connection.query<{ total: number }>(
    `SELECT coalesce(sum(difference), 0)::bigint AS total FROM listing_total
     WHERE ($1::boolean IS NULL OR verified = $1) AND ($2::text IS NULL OR tier = $2)
     AND ($3::text IS NULL OR category = $3) AND ($4::text IS NULL OR type = $4)`,
    [filters.verified, filters.tier, filters.category, filters.type ?? null],
  );
  return row?.total ?? 0;
}

/** Below this many rows a sum costs next to nothing. */
const ROWS_WORTH_FOLDING = 500;

/**
 * Folds the kept differences into one row per kind of listing and answers how many rows went. Whoever reads or changes
 * totals meanwhile sees them before or after, never between.
 */
export async function foldTotals(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ rows: number }>('SELECT count(*)::int AS rows FROM listing_total');
  if ((row?.rows ?? 0) < ROWS_WORTH_FOLDING) return 0;
  const [folded] = await connection.query<{ rows: number }>(
    `WITH gone AS (DELETE FROM listing_total RETURNING type, verified, tier, category, difference),
     kept AS (INSERT INTO listing_total SELECT type, verified, tier, category, sum(difference)::bigint FROM gone
       GROUP BY 1, 2, 3, 4 HAVING sum(difference) <> 0 RETURNING 1)
     SELECT ((SELECT count(*) FROM gone) - (SELECT count(*) FROM kept))::int AS rows`,
  );
  return folded?.rows ?? 0;
}
