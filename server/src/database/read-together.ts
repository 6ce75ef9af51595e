import { batchJson } from './batch.condition.ts';
import { coalesce, onEach } from './coalesce.ts';
import type { Connection } from './connect.ts';
import { noteRead, OF_THE_MOMENT } from './recorded-reads.ts';
import type { Room } from './room.ts';

/** A row with the place of the item that it is of. */
export type PlacedRow<Row> = Row & { n: number };

/** How reads of one kind are sent together. */
export interface ReadingTogether<Item, Row> {
  /** Reads `batchRows` as `$1`; its rows say in `n` which item they are of. */
  readonly sql: string;
  /** How long nothing of what an item's rows show changes by time alone; asked for where the statement looks at the clock. */
  goodForMs?(rows: readonly Row[]): number;
  /** Items of one lane wait for one another's turn, so that what is asked for often does not hold up the rest. */
  laneOf?(item: Item): string;
  readonly maxBatch?: number;
  /** Shared with other kinds on the same connection. */
  roomOf?(connection: Connection): Room;
}

/**
 * Reads of one kind: those that are asked for while others are under way go as one statement, planned once and for any
 * number of them. Each gets its own rows, in the statement's order, and is noted by those alone.
 */
export function readTogether<Item extends object, Row extends object>({
  sql,
  goodForMs,
  laneOf = oneLane,
  maxBatch,
  roomOf,
}: ReadingTogether<Item, Row>): (connection: Connection, item: Item) => Promise<PlacedRow<Row>[]> {
  if (!goodForMs && OF_THE_MOMENT.test(sql))
    throw new Error(`A statement that looks at the clock has to say for how long it holds: ${sql}`);
  const reading = onEach((connection) =>
    coalesce<Item, PlacedRow<Row>[]>({
      run: (items) => readAll<Row>(connection, sql, items),
      laneOf,
      ...(maxBatch && { maxBatch }),
      ...(roomOf && { room: roomOf(connection) }),
    }),
  );
  return (connection, item) =>
    noteRead(connection, item, (source) => reading(source)(item), goodForMs ?? always);
}

async function readAll<Row extends object>(
  connection: Connection,
  sql: string,
  items: readonly object[],
): Promise<PlacedRow<Row>[][]> {
  const rows = await connection.query<PlacedRow<Row>>(sql, [batchJson(items)]);
  const found = items.map((): PlacedRow<Row>[] => []);
  for (const row of rows) found[row.n]?.push(row);
  return found;
}

function oneLane(): string {
  return '';
}

function always(): number {
  return Number.POSITIVE_INFINITY;
}
