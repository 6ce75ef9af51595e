import type { Connection } from './connect.ts';
import { PLANNED_ANEW } from './statement-names.ts';

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

/**
 * For the open transaction: rows of a batch are looked up by indexes. No statistics tell of tables that were empty a moment
 * ago that this is the way, and to compile a plan takes longer than all that a batch does with it.
 */
export async function preferIndexes(connection: Connection): Promise<void> {
  await connection.query('SET LOCAL enable_seqscan = off; SET LOCAL jit = off');
}
