import type { Connection } from './connect.ts';

/** What an answer was made of. */
export interface ReadRecord {
  /** Statements that were sent. */
  statements: number;
  /** Ids of all subjects that statements asked for or found, among other ids. */
  readonly ids: Set<string>;
  /** On the clock of `performance.now()`: from then on time alone makes it another answer. */
  goodUntil: number;
  /** Why it can't be told what it was made of; null where it can. */
  unknown: string | null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const UUID_LENGTH = 36;
/** What answers differently from one moment to the next, by itself or in a view; not the key `now` of a stored JSON value. */
export const OF_THE_MOMENT =
  /(?<!->>? ?')\b(ledger_now|clock_timestamp|now|current_timestamp|current_date|proved_account)\b/i;

/**
 * A connection that notes what is read through it. One is made for every answer that may be kept, so it is an object of a
 * class: a table of such connections, weak as it would have to be, costs more than all the rest of it.
 */
class RecordingConnection implements Connection {
  readonly record: ReadRecord = {
    statements: 0,
    ids: new Set(),
    goodUntil: Number.POSITIVE_INFINITY,
    unknown: null,
  };
  /** Where it sends. */
  readonly source: Connection;

  constructor(source: Connection) {
    this.source = source;
  }

  get transaction(): Connection['transaction'] {
    return this.source.transaction;
  }

  get models(): Connection['models'] {
    this.record.unknown = 'a model was read';
    return this.source.models;
  }

  query<Row extends object>(sql: string, bind: readonly unknown[] = []): Promise<Row[]> {
    if (OF_THE_MOMENT.test(sql)) this.record.unknown = 'a statement looks at the clock';
    return noteRead<Row>(this, bind, (source) => source.query<Row>(sql, bind), always);
  }
}

/** The same connection, which notes what is read through it. Ids are found in values and rows, so that no reader can forget one. */
export function recordReads(source: Connection): { connection: Connection; record: ReadRecord } {
  const connection = new RecordingConnection(source);
  return { connection, record: connection.record };
}

/**
 * Sends a statement whose answer changes with time alone. `goodForMs` tells from its rows how long nothing of what is
 * shown does.
 */
export function queryForNow<Row extends object>(
  connection: Connection,
  sql: string,
  bind: readonly unknown[],
  goodForMs: (rows: readonly Row[]) => number,
): Promise<Row[]> {
  return noteRead(connection, bind, (source) => source.query<Row>(sql, bind), goodForMs);
}

/**
 * Reads rows by what is asked for. Where the connection records, the reading goes to what is behind it, which others may
 * share, and what is asked for and found here is noted, for as long as `goodForMs` says.
 */
export async function noteRead<Row extends object>(
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
  record.goodUntil = Math.min(record.goodUntil, askedAt + goodForMs(rows));
  return rows;
}

function always(): number {
  return Number.POSITIVE_INFINITY;
}

function noteIds(ids: Set<string>, value: unknown): void {
  if (typeof value === 'string') {
    if (value.length === UUID_LENGTH && UUID.test(value)) ids.add(value);
  } else if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
    // Names alone, no list of values: every row of every answer comes through here.
    for (const name in value) noteIds(ids, (value as Record<string, unknown>)[name]);
  }
}
