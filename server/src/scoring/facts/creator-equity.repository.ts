import type { Connection } from '../../database/connect.ts';
import type { CreatorEdge } from '../embedded/creator-graph.ts';
import { METHOD } from '../embedded/rs-1.0.0.ts';
import { countsForCreator } from './own-listing.condition.ts';

/**
 * Counts the listings of one creator that derive from listings of another. A claim counts, for it gives trust away; a
 * listing that does not count for its creator neither gives nor takes.
 */
export function loadCreatorEdges(connection: Connection): Promise<CreatorEdge[]> {
  return connection.query<CreatorEdge>(
    `SELECT child.creator_id AS "from", parent.creator_id AS "to", count(*) AS count
     FROM listing child JOIN listing parent ON parent.subject_id = child.parent_id
     JOIN creator giver ON giver.subject_id = child.creator_id JOIN creator taker ON taker.subject_id = parent.creator_id
     WHERE child.creator_id <> parent.creator_id AND ${countsForCreator('child', 'giver')}
       AND ${countsForCreator('parent', 'taker')} GROUP BY 1, 2 ORDER BY 1, 2`,
  );
}

/**
 * The creators trusted beforehand: a proved account on a repository host that is old enough, and one more proved account
 * of another kind that the method counts.
 */
export async function loadPreTrusted(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT c.subject_id AS id FROM creator c WHERE EXISTS (SELECT FROM proved_account p
       WHERE p.account_id = c.account_id AND p.kind = 'repo_host'
         AND p.host_account_created_at <= ledger_now() - $1::int * interval '1 day')
     AND EXISTS (SELECT FROM proved_account p WHERE p.account_id = c.account_id
       AND p.kind IN ('node_packages', 'python_packages', 'professional_network')) ORDER BY 1`,
    [METHOD.creatorGraph.trustedFromDays],
  );
  return rows.map(({ id }) => id);
}

/** Any fixed number: two refreshes at once replace the rows one after the other. */
const EQUITY_LOCK = 7_310_111;

/** Replaces all rows, in the caller's transaction; answers the creators that have another equity than before, or none. */
export async function replaceEquity(
  connection: Connection,
  equity: ReadonlyMap<string, number>,
): Promise<string[]> {
  await connection.query('SELECT pg_advisory_xact_lock($1)', [EQUITY_LOCK]);
  const before = await connection.query<{ id: string; equity: number }>(
    'SELECT creator_id AS id, equity FROM creator_equity',
  );
  await connection.query('DELETE FROM creator_equity');
  await connection.query(
    'INSERT INTO creator_equity (creator_id, equity) SELECT * FROM unnest($1::uuid[], $2::float8[])',
    [[...equity.keys()], [...equity.values()]],
  );
  const former = new Map(before.map((row) => [row.id, row.equity]));
  const ids = new Set([...former.keys(), ...equity.keys()]);
  return [...ids].filter((id) => former.get(id) !== equity.get(id));
}
