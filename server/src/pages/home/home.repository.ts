import type { Connection } from '../../database/connect.ts';
import { queryForNow } from '../../database/recorded-reads.ts';
import type { Category } from '../../registry/listings/listing-row.ts';
import type { VerdictState } from '../../scoring/verdict/verdict.ts';

/** Beyond so many a count is told as more than that: home costs the same for ten thousand creators and ten million. */
export const MOST_COUNTED = 20_000;
/** Nothing announces that a repository was looked at and is what it was, so that moment is read again after this long. */
const CHECKED_HOLDS_MS = 60_000;
/** So many of the most popular and of the least trusted are looked at for an example of each state. */
const LOOKED_AT = 200;

/** How many listings of a category have a verified owner, or have not. */
export interface CategoryTotal {
  category: Category;
  verified: boolean;
  count: number;
}

/** How all listings spread over categories from the kept totals. */
export function readCategoryTotals(connection: Connection): Promise<CategoryTotal[]> {
  return connection.query<CategoryTotal>(
    `SELECT category, verified, sum(difference)::bigint AS count FROM listing_total
     GROUP BY 1, 2 HAVING sum(difference) > 0`,
  );
}

interface Surroundings {
  /** At most one more than are counted. */
  creators: number;
  artifacts: number;
  checkedAt: string | null;
  now: string;
}

/** What home tells beside the listings. */
export async function readSurroundings(connection: Connection): Promise<Surroundings> {
  const [found] = await queryForNow<Surroundings>(
    connection,
    `SELECT
       (SELECT count(*)::int FROM (SELECT FROM creator WHERE merged_into IS NULL LIMIT $1) AS c) AS creators,
       (SELECT count(*)::int FROM (SELECT FROM artifact LIMIT $1) AS a) AS artifacts,
       (SELECT utc_text(max(checked_at)) FROM repository_refresh) AS "checkedAt", utc_text(ledger_now()) AS now`,
    [MOST_COUNTED + 1],
    () => CHECKED_HOLDS_MS,
  );
  if (!found) throw new Error('a statement without a table found no row');
  return found;
}

/**
 * Two listings of each state among the most popular and the least trusted, by short walks along two indexes: of little
 * evidence those of which the least is known, else the most popular.
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
    [LOOKED_AT],
  );
}
