import type { Category } from '../../../catalog/listings/listing-row.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { queryTimeDependent } from '../../../platform/database/tracked-dependencies.ts';
import type { VerdictState } from '../../../scoring/verdict/verdict.ts';

/** Maximum count of creators, and of artifacts. Larger numbers are shown as "more than", because a full count is slow. */
export const MAX_COUNTED = 20_000;
/**
 * Maximum age of the cached home page. It limits how old the shown time of the last check is, because a check that
 * finds no change does not invalidate the page.
 */
const CHECK_TIME_TTL_MS = 60_000;
/** Number of most popular listings from which examples are chosen, and also of least trusted listings. */
const EXAMPLE_CANDIDATES = 200;

/** Number of listings of a category whose `verified` flag has this value. */
export interface CategoryTotal {
  category: Category;
  verified: boolean;
  count: number;
}

/** Reads from `listing_total`, without counting listings, how many of each category are verified and how many are not. */
export function readCategoryTotals(connection: Connection): Promise<CategoryTotal[]> {
  return connection.query<CategoryTotal>(
    `SELECT category, verified, sum(difference)::bigint AS count FROM listing_total
     GROUP BY 1, 2 HAVING sum(difference) > 0`,
  );
}

interface HomeFigures {
  /** Number of creators, counted up to MAX_COUNTED + 1. */
  creators: number;
  /** Number of artifacts, counted up to MAX_COUNTED + 1. */
  artifacts: number;
  checkedAt: string | null;
  now: string;
}

/** Reads the numbers of creators and artifacts, and the time when a repository was last checked. */
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
 * Finds up to two listings of each verdict state among the most popular and the least trusted listings, with two short
 * index scans. Prefers those with the most stars; for `little_evidence`, those with the lowest confidence.
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
