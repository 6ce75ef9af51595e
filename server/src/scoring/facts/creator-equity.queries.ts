import type { Connection, Database } from '../../platform/database/connect.ts';
import { inTransaction, retryConflicts } from '../../platform/database/transaction.ts';
import type { CreatorEdge } from '../embedded/creator-graph.ts';
import { computeGraphEquity } from '../embedded/creator-graph.ts';
import { METHOD } from '../embedded/current-method.ts';
import { enqueueScoring } from '../queue/enqueue-scoring.ts';
import { countsForCreator } from './counts-for-creator.fragment.ts';

/**
 * Counts, for each pair of creators, the listings of the first that derive from listings of the second. A derivation
 * that the second creator has not acknowledged counts, too, because trust flows from the first to the second. Excludes
 * listings that do not count for their creator, whether as parent or as child.
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
 * Returns the pre-trusted creators: those with a proved repository host account that is old enough, and a second
 * proved account of another kind that the method counts.
 */
async function loadPreTrustedCreators(connection: Connection): Promise<string[]> {
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

/** Advisory lock key (an arbitrary constant) that makes concurrent refreshes run one after the other. */
const EQUITY_LOCK = 7_310_111;

/**
 * Replaces the stored equity in the caller's transaction. Returns the creators whose equity was added, changed or
 * removed.
 */
async function replaceCreatorEquity(
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

/** Result of recomputing creator equity, the trust that creators get from other creators who build on their work. */
interface EquityRefresh {
  /** Number of creators with equity: those who build on work of other creators, or on whose work others build. */
  creators: number;
  /** Number of creators whose equity was added, changed or removed; their scores are queued. */
  changed: number;
}

/**
 * Recomputes the equity of all creators from the graph of creators who build on each other's work. Queues the creators
 * whose equity changed. If no creator in the graph is pre-trusted, no creator has equity: the signal is then missing,
 * not zero. The equity is computed before the transaction that replaces the stored rows.
 */
export async function refreshCreatorEquity(database: Database): Promise<EquityRefresh> {
  const edges = await loadCreatorEdges(database);
  const equity =
    computeGraphEquity(edges, await loadPreTrustedCreators(database)) ?? new Map<string, number>();
  const replace = () =>
    inTransaction(database, async (connection) => {
      const changed = await replaceCreatorEquity(connection, equity);
      await enqueueScoring(connection, [], changed);
      return changed.length;
    });
  return { creators: equity.size, changed: await retryConflicts(replace) };
}
