import { createHash } from 'node:crypto';
import type { Connection } from '../database/connect.ts';
import { type CopiedRow, copyRows, isWorthCopying } from '../database/copy-rows.ts';

/**
 * Returns SQL that reads the rows of a batch from `$1` (`batchJson`): `n` is an item's index, the other columns are
 * its fields.
 *
 * PostgreSQL assumes 100 rows for jsonb_to_recordset and would scan whole tables. The range condition on `n` is true
 * for all rows, but makes PostgreSQL estimate one row and therefore use index lookups. Because the estimate does not
 * depend on the value of `$1`, the plan can be reused. Without the range, `cached-plans.long.test.ts` fails.
 */
export function batchRows(columns: string): string {
  return `SELECT * FROM jsonb_to_recordset($1::jsonb) AS c(n int, ${columns}) WHERE c.n BETWEEN 0 AND 9999`;
}

/**
 * Serializes the items of a batch as the value `$1`, each with its index. Replaces characters that PostgreSQL text
 * cannot hold.
 */
export function batchJson(items: readonly object[]): string {
  const json = JSON.stringify(items.map((item, n) => Object.assign({ n }, item)));
  if (!json.includes('\\u0000') && !json.includes('\\ud')) return json;
  return JSON.stringify(
    JSON.parse(json, (_, value) => (typeof value === 'string' ? fitForText(value) : value)),
  );
}

/** Formats bytes for a bytea column of a batch. */
export function batchBytes(bytes: Buffer): string {
  return `\\x${bytes.toString('hex')}`;
}

function fitForText(value: string): string {
  return value.replaceAll('\0', '\\0').replace(LONE_SURROGATE, '\ufffd');
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** The rows of a batch as input of a statement: `from` is the FROM item that reads them, `bind` has its values. */
export interface BatchSource {
  readonly from: string;
  readonly bind: readonly unknown[];
}

/**
 * Passes the rows of a batch to a statement. Few rows, and rows outside a transaction, become one JSON value. Many rows
 * are copied into a temporary table, which is emptied on commit. The next call with the same columns in the same
 * transaction replaces the rows of the table. `toRow` makes the rows while PostgreSQL receives earlier ones.
 */
export async function batchSource<Item extends object = CopiedRow>(
  connection: Connection,
  columns: string,
  items: readonly Item[],
  toRow: (item: Item) => CopiedRow = (item) => item as CopiedRow,
): Promise<BatchSource> {
  if (!isWorthCopying(connection, items)) {
    const from = `(SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(${columns}))`;
    return { from, bind: [JSON.stringify(items.map(toRow))] };
  }
  const table = `pg_temp.batch_${createHash('sha256').update(columns).digest('hex').slice(0, 16)}`;
  await connection.query(
    `CREATE TEMP TABLE IF NOT EXISTS ${table} (${columns}) ON COMMIT DELETE ROWS; DELETE FROM ${table}`,
  );
  await copyRows(connection, table, columns, mapped(items, toRow));
  return { from: table, bind: [] };
}

function* mapped<Item, Row>(items: Iterable<Item>, toRow: (item: Item) => Row): Generator<Row> {
  for (const item of items) yield toRow(item);
}
