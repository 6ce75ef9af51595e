import type { Category } from '../../../catalog/listings/listing-row.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { queryTimeDependent } from '../../../platform/database/tracked-dependencies.ts';
import type { VerdictState } from '../../../scoring/verdict/verdict.ts';

/** Maximum count; larger numbers are shown as "more than". Bounds the cost of the home page in large directories. */
export const MAX_COUNTED = 20_000;
/**
 * Maximum age of the cached check time, in milliseconds. A check that changes nothing does not invalidate the cached
 * page.
 */
const CHECK_TIME_TTL_MS = 60_000;
/** Number of most popular listings, and also of least trusted listings, among which examples are searched. */
const EXAMPLE_CANDIDATES = 200;

/** Number of a category's listings whose owner is verified, or, if `verified` is false, is not. */
export interface CategoryTotal {
  category: Category;
  verified: boolean;
  count: number;
}

/** Counts the listings of each category from the maintained totals. */
export function readCategoryTotals(connection: Connection): Promise<CategoryTotal[]> {
  return connection.query<CategoryTotal>(
    `SELECT category, verified, sum(difference)::bigint AS count FROM listing_total
     GROUP BY 1, 2 HAVING sum(difference) > 0`,
  );
}

interface HomeFigures {
  /** Counted up to MAX_COUNTED + 1. */
  creators: number;
  artifacts: number;
  checkedAt: string | null;
  now: string;
}

/** Reads the numbers of creators and artifacts, and the time of the latest repository check. */
export async function readHomeFigures(connection: Connection): Promise<HomeFigures> {
  const [found] = await queryTimeDependent<HomeFigures>(
    connection,
    `SELECT
       (SELECT count(*)::int FROM (SELECT FROM creator WHERE merged_into IS NULL LIMIT $1) AS c) AS creators,
       (SELECT count(*)::int FROM (SELECT FROM artifact LIMIT $1) AS a) AS artifacts,
       (SELECT utc_text(max(checked_at)) FROM repository_refresh) AS "checkedAt", utc_text(ledger_now()) AS now`,
    [MAX_COUNTED + 1],
    () => CHECK_TIME_TTL_MS,
  );
  if (!found) throw new Error('a statement without a table found no row');
  return found;
}

/**
 * Finds up to two listings of each verdict state among the most popular and the least trusted, by two short index
 * scans. Prefers the most popular; for little_evidence, the lowest confidence.
 */
export function findExamples(connection: Connection): Promise<{ id: string; state: VerdictState }[]> {
  return connection.query(
    `SELECT id, state FROM (
       SELECT k.subject_id AS id, k.verdict AS state, row_number() OVER (PARTITION BY k.verdict
         ORDER BY CASE k.verdict WHEN 'little_evidence' THEN k.confidence END, o.stars DESC NULLS LAST, k.agent_id) AS place
       FROM ((SELECT subject_id FROM listing_order ORDER BY stars DESC NULLS LAST, agent_id LIMIT $1)
         UNION (SELECT subject_id FROM listing_rank WHERE trust IS NOT NULL
           ORDER BY trust NULLS FIRST, confidence NULLS FIRST, agent_id DESC LIMIT $1)) AS seen
       JOIN listing_rank k USING (subject_id) JOIN listing_order o USING (subject_id)
       WHERE k.verdict IS NOT NULL) AS placed
     WHERE place <= 2 ORDER BY place, state`,
    [EXAMPLE_CANDIDATES],
  );
}
