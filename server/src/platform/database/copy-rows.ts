import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Client } from 'pg';
import type { Connection } from './connect.ts';

/** Row as column names and values; a missing column is null. */
export type CopiedRow = Readonly<Record<string, unknown>>;

/**
 * Size of one COPY chunk. It is so large that the overhead per chunk is negligible, and so small that the server works
 * while the next chunk is written.
 */
const CHUNK_CHARACTERS = 65_536;

/** Number of rows from which on COPY is cheaper than passing the rows as values of a statement. */
const WORTH_COPYING = 50;

/** Returns true if there are enough rows for COPY to be cheaper, and an open transaction, which COPY needs. */
export function isWorthCopying({ transaction }: Connection, rows: readonly unknown[]): boolean {
  return transaction !== null && rows.length >= WORTH_COPYING;
}

/**
 * Inserts rows with COPY, in the caller's open transaction. `columns` are names and types, as for
 * `jsonb_to_recordset`; the types determine how values are written. If a row violates a constraint, no row is
 * inserted. Without COPY, `copy-rows.db.test.ts` fails.
 */
export async function copyRows(
  { transaction }: Connection,
  table: string,
  columns: string,
  rows: Iterable<CopiedRow>,
): Promise<void> {
  if (transaction === null) throw new Error(`Copying rows into ${table} requires an open transaction.`);
  const { connection: session } = transaction as unknown as { connection: Client };
  const read = readColumns(columns);
  const names = read.map(({ name }) => name).join(', ');
  // Loaded on first use, because only bulk writes need it.
  const { from: copyFrom } = await import('pg-copy-streams');
  const copying = session.query(copyFrom(`COPY ${table} (${names}) FROM STDIN`));
  await pipeline(Readable.from(chunksOf(read, rows), { highWaterMark: 1 }), copying);
}

interface Column {
  name: string;
  write: (value: unknown) => string;
}

function readColumns(columns: string): Column[] {
  return columns.split(',').map((column) => {
    const [name = '', type] = column.trim().split(/\s+/);
    return { name, write: type === 'jsonb' ? writeJson : type?.endsWith('[]') ? writeArray : writeText };
  });
}

function* chunksOf(columns: readonly Column[], rows: Iterable<CopiedRow>): Generator<string> {
  let chunk = '';
  for (const row of rows) {
    let separator = '';
    for (const { name, write } of columns) {
      const value = row[name];
      chunk += separator + (value === null || value === undefined ? '\\N' : write(value));
      separator = '\t';
    }
    chunk += '\n';
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

function writeJson(value: unknown): string {
  return escaped(JSON.stringify(value));
}

// Most arrays are search words, in which nothing is escaped, so all items are tested at once.
const QUOTED = /["\\]/;

function writeArray(value: unknown): string {
  const items = value as readonly string[];
  if (items.length === 0) return '{}';
  const hasQuoted = QUOTED.test(items.join(''));
  const safe = hasQuoted ? items.map((text) => text.replace(/["\\]/g, '\\$&')) : items;
  return escaped(`{"${safe.join('","')}"}`);
}

function writeText(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return escaped(String(value).replaceAll('\0', '\\0'));
}

const SPECIAL = /[\\\n\r\t]/;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(text: string): string {
  return SPECIAL.test(text) ? text.replace(/[\\\n\r\t]/g, (character) => ESCAPES[character] ?? '') : text;
}
