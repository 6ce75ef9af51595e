import type { Connection } from '../database/connect.ts';

export interface TotalFilters {
  verified: boolean | null;
  tier: string | null;
  category: string | null;
}

/** How many listings match, exactly, from the kept totals: the cost is the same for ten listings and ten million. */
export async function readTotal(connection: Connection, filters: TotalFilters): Promise<number> {
  const [row] = await connection.query<{ total: number }>(
    `SELECT coalesce(sum(difference), 0)::bigint AS total FROM listing_total
     WHERE ($1::boolean IS NULL OR verified = $1) AND ($2::text IS NULL OR tier = $2)
     AND ($3::text IS NULL OR category = $3)`,
    [filters.verified, filters.tier, filters.category],
  );
  return row?.total ?? 0;
}
