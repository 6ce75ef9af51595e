import { createHash } from 'node:crypto';
import type { Connection } from './connect.ts';
import { type CopiedRow, copyRows, isWorthCopying } from './copy-rows.ts';

/** The rows of a batch for one statement: `from` stands after its FROM, and `bind` are its values. */
export interface BatchSource {
  readonly from: string;
  readonly bind: readonly unknown[];
}

/**
 * Hands the rows of a batch to a statement: few as one JSON value, many through a table of the session, which is empty
 * again after the transaction. The next call in the same transaction with the same columns takes the rows' place.
 */
export async function batchSource(
  connection: Connection,
  columns: string,
  rows: readonly CopiedRow[],
): Promise<BatchSource> {
  if (!isWorthCopying(connection, rows)) {
    const from = `(SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(${columns}))`;
    return { from, bind: [JSON.stringify(rows)] };
  }
  const table = `pg_temp.batch_${createHash('sha256').update(columns).digest('hex').slice(0, 16)}`;
  await connection.query(
    `CREATE TEMP TABLE IF NOT EXISTS ${table} (${columns}) ON COMMIT DELETE ROWS; DELETE FROM ${table}`,
  );
  await copyRows(connection, table, columns, rows);
  return { from: table, bind: [] };
}
