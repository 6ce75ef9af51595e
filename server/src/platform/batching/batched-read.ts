import type { Connection } from '../database/connect.ts';
import { TIME_DEPENDENT_SQL, trackRead } from '../database/tracked-dependencies.ts';
import { batchJson } from './batch-source.ts';
import { createBatcher } from './batcher.ts';
import { type ConcurrencyLimiter, perConnection } from './concurrency-control.ts';

/** Row with the index `n` of the item to which it belongs. */
export type IndexedRow<Row> = Row & { n: number };

/** Options of a batched read. */
export interface BatchedReadOptions<Item, Row> {
  /**
   * Statement that reads its items with `batchRows` from `$1`. It returns in `n` the index of the item to which each
   * row belongs.
   */
  readonly sql: string;
  /**
   * Returns the milliseconds for which an item's rows stay valid unless data changes. Required if the statement
   * depends on the current time.
   */
  goodForMs?(rows: readonly Row[]): number;
  /** Partition key of an item; partitions are served in round-robin order. Default: one partition. */
  partitionKeyOf?(item: Item): string;
  readonly maxBatch?: number;
  /** Returns the concurrency limiter shared with other reads on the same connection. */
  limiterOf?(connection: Connection): ConcurrencyLimiter;
}

/**
 * Creates a read that batches concurrent calls into one statement, which is planned once for any batch size. Each call
 * gets only the rows of its item, in the statement's order, and only these rows count as its dependencies. In batches,
 * 64 concurrent reads take 0.16 to 0.26 × the time that they take as separate statements
 * (`npm run bench -- mechanisms`). Without batches, `batched-read.test.ts` fails.
 */
export function createBatchedRead<Item extends object, Row extends object>({
  sql,
  goodForMs,
  partitionKeyOf = onePartition,
  maxBatch,
  limiterOf,
}: BatchedReadOptions<Item, Row>): (connection: Connection, item: Item) => Promise<IndexedRow<Row>[]> {
  if (!goodForMs && TIME_DEPENDENT_SQL.test(sql))
    throw new Error(`A statement that depends on the current time requires goodForMs: ${sql}`);
  const reading = perConnection((connection) =>
    createBatcher<Item, IndexedRow<Row>[]>({
      run: (items) => readAll<Row>(connection, sql, items),
      partitionKeyOf,
      ...(maxBatch && { maxBatch }),
      ...(limiterOf && { limiter: limiterOf(connection) }),
    }),
  );
  return (connection, item) =>
    trackRead(connection, item, (source) => reading(source)(item), goodForMs ?? always);
}

async function readAll<Row extends object>(
  connection: Connection,
  sql: string,
  items: readonly object[],
): Promise<IndexedRow<Row>[][]> {
  const rows = await connection.query<IndexedRow<Row>>(sql, [batchJson(items)]);
  const found = items.map((): IndexedRow<Row>[] => []);
  for (const row of rows) found[row.n]?.push(row);
  return found;
}

function onePartition(): string {
  return '';
}

function always(): number {
  return Number.POSITIVE_INFINITY;
}
