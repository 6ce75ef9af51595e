import type { Connection } from './connect.ts';

/** Data that a response depends on. */
export interface TrackedDependencies {
  /** Number of statements sent. */
  statements: number;
  /** All UUIDs in the values and rows of the statements; the ids of the subjects that were read are among them. */
  readonly ids: Set<string>;
  /** Time (`performance.now()`) until which the response is valid unless data changes. */
  validUntil: number;
  /** Reason why the dependencies are unknown and the response must not be cached; null if they are known. */
  uncacheableReason: string | null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_LENGTH = 36;
/**
 * Matches SQL that depends on the current time, directly or through a view. Does not match the key `now` of a JSON
 * value.
 */
export const TIME_DEPENDENT_SQL =
  /(?<!->>? ?')\b(ledger_now|clock_timestamp|now|current_timestamp|current_date|proved_account)\b/i;

/**
 * Connection that records what is read through it. It is a class, because recognizing it by a WeakMap would cost more
 * than all other work of a recorded read.
 */
class RecordingConnection implements Connection {
  readonly record: TrackedDependencies = {
    statements: 0,
    ids: new Set(),
    validUntil: Number.POSITIVE_INFINITY,
    uncacheableReason: null,
  };
  /** Connection that runs the statements. */
  readonly source: Connection;

  constructor(source: Connection) {
    this.source = source;
  }

  get transaction(): Connection['transaction'] {
    return this.source.transaction;
  }

  get models(): Connection['models'] {
    this.record.uncacheableReason = 'a model was read';
    return this.source.models;
  }

  query<Row extends object>(sql: string, bind: readonly unknown[] = []): Promise<Row[]> {
    if (TIME_DEPENDENT_SQL.test(sql))
      this.record.uncacheableReason = 'a statement depends on the current time';
    return trackRead<Row>(this, bind, (source) => source.query<Row>(sql, bind), always);
  }
}

/**
 * Wraps a connection and records what is read through it. Ids are found in values and rows, so no query can forget one.
 * Without recorded ids, `tracked-dependencies.test.ts` and `announced-changes.db.test.ts` fail.
 */
export function trackDependencies(source: Connection): {
  connection: Connection;
  record: TrackedDependencies;
} {
  const connection = new RecordingConnection(source);
  return { connection, record: connection.record };
}

/**
 * Prevents the caching of the response that is read through the connection. Use it for data whose changes are not
 * announced. Does nothing on a connection that does not record.
 */
export function forbidCaching(connection: Connection, reason: string): void {
  if (connection instanceof RecordingConnection) connection.record.uncacheableReason = reason;
}

/** Sends a statement whose result depends on the current time. `goodForMs` returns how long its rows stay valid. */
export function queryTimeDependent<Row extends object>(
  connection: Connection,
  sql: string,
  bind: readonly unknown[],
  goodForMs: (rows: readonly Row[]) => number,
): Promise<Row[]> {
  return trackRead(connection, bind, (source) => source.query<Row>(sql, bind), goodForMs);
}

/**
 * Reads rows. On a recording connection, records the ids in `asked` and in the rows, and how long the rows stay valid
 * (`goodForMs`). `read` runs on the source connection, so that reads of several recording connections can share a
 * batch.
 */
export async function trackRead<Row extends object>(
  connection: Connection,
  asked: object,
  read: (source: Connection) => Promise<Row[]>,
  goodForMs: (rows: readonly Row[]) => number,
): Promise<Row[]> {
  if (!(connection instanceof RecordingConnection)) return read(connection);
  const { record, source } = connection;
  const askedAt = performance.now();
  record.statements += 1;
  noteIds(record.ids, asked);
  const rows = await read(source);
  noteIds(record.ids, rows);
  record.validUntil = Math.min(record.validUntil, askedAt + goodForMs(rows));
  return rows;
}

function always(): number {
  return Number.POSITIVE_INFINITY;
}

function noteIds(ids: Set<string>, value: unknown): void {
  if (typeof value === 'string') {
    if (value.length === UUID_LENGTH && UUID.test(value)) ids.add(value);
  } else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    // Iterates over names instead of building a list of values, because this code runs for every row of every
    // response.
    for (const name in value) noteIds(ids, (value as Record<string, unknown>)[name]);
  }
}
