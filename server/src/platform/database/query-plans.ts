import type { Connection } from './connect.ts';
import { FRESH_PLAN, INDEX_PLAN } from './send-statement.ts';

/**
 * Returns a connection for work that fills tables, on which every statement is planned anew. A plan that was cached
 * while the tables were empty would scan them fully, even after they have grown.
 */
export function withFreshPlan<Some extends Connection>(connection: Some): Some {
  return {
    ...connection,
    query: <Row extends object>(sql: string, bind: readonly unknown[] = []) =>
      connection.query<Row>(`${FRESH_PLAN} ${sql}`, bind),
  };
}

/** Number of batches that each session has processed. */
const BATCHES = new WeakMap<object, number>();

/**
 * Returns the connection of an open transaction, configured for a batch that fills tables. It forces index lookups,
 * because the statistics of recently empty tables do not suggest them. Plans are cached, since planning takes longer
 * than executing a batch. They are discarded whenever the session's number of batches has doubled, because plans for
 * small tables do not fit large ones. Without cached plans or their renewal, `prepared-statements.db.test.ts` fails.
 */
export async function withIndexPlans(connection: Connection): Promise<Connection> {
  const { connection: session } = connection.transaction as unknown as { connection: object };
  const batches = (BATCHES.get(session) ?? 0) + 1;
  BATCHES.set(session, batches);
  // True for powers of two.
  const isDoubled = (batches & (batches - 1)) === 0;
  await connection.query(`${BY_INDEX}${isDoubled ? '; DISCARD PLANS' : ''}`);
  return {
    ...connection,
    query: <Row extends object>(sql: string, bind: readonly unknown[] = []) =>
      connection.query<Row>(`${INDEX_PLAN} ${sql}`, bind),
  };
}

const BY_INDEX = `SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
  SET LOCAL jit = off; SET LOCAL plan_cache_mode = force_generic_plan`;
