import type { Connection } from './connect.ts';
import { PLANNED_ANEW, PLANNED_BY_INDEX } from './statement-names.ts';

/**
 * The same connection for work that fills tables: each of its statements is planned for the tables as they are by then. A
 * plan that was kept from when they were empty reads the whole of them, however large they have grown.
 */
export function plannedAnew<Some extends Connection>(connection: Some): Some {
  return {
    ...connection,
    query: <Row extends object>(sql: string, bind: readonly unknown[] = []) =>
      connection.query<Row>(`${PLANNED_ANEW} ${sql}`, bind),
  };
}

/** How often a session has filled tables. */
const BATCHES = new WeakMap<object, number>();

/**
 * The connection of an open transaction, for a batch of rows that fills tables. Whatever its statements look up they look up by
 * an index, one row after the other: no statistics tell of tables that were empty a moment ago that this is the way. Their plans
 * are kept, those of triggers too, for to make one takes longer than what a batch does with it; and they are made anew each
 * time that the session has done twice as many batches, for what they say of small tables does not hold of large ones.
 */
export async function plannedByIndex(connection: Connection): Promise<Connection> {
  const { connection: session } = connection.transaction as unknown as { connection: object };
  const batches = (BATCHES.get(session) ?? 0) + 1;
  BATCHES.set(session, batches);
  // True of powers of two.
  const isDoubled = (batches & (batches - 1)) === 0;
  await connection.query(`${BY_INDEX}${isDoubled ? '; DISCARD PLANS' : ''}`);
  return {
    ...connection,
    query: <Row extends object>(sql: string, bind: readonly unknown[] = []) =>
      connection.query<Row>(`${PLANNED_BY_INDEX} ${sql}`, bind),
  };
}

const BY_INDEX = `SET LOCAL enable_seqscan = off; SET LOCAL enable_hashjoin = off; SET LOCAL enable_mergejoin = off;
  SET LOCAL jit = off; SET LOCAL plan_cache_mode = force_generic_plan`;
