import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import type pg from 'pg';

/**
 * Part of an export file. The file is compressed with gzip and contains in this order: a head; for each table its name
 * and columns, its rows in COPY format, and their number; the sequences; an end mark. Each part is a line of JSON. A
 * line with `bytes` is followed by that many bytes of rows.
 */
export type ExportPart =
  | ExportHead
  | TablePart
  | { bytes: number }
  | { rows: number }
  | SequencesNote
  | { end: true };

export interface ExportHead {
  readonly format: typeof FORMAT;
  /** Version of the file format. */
  readonly version: typeof VERSION;
  /** Migrations that were applied to the exported database. They define its tables. */
  readonly migrations: readonly string[];
}

export interface TablePart {
  readonly table: string;
  readonly columns: readonly string[];
}

interface SequencesNote {
  readonly sequences: readonly Sequence[];
}

export interface Sequence {
  readonly name: string;
  readonly value: string;
  /** False if the next value of the sequence is `value` itself. */
  readonly called: boolean;
}

export const FORMAT = 'trust-directory-export';
export const VERSION = 1;

/** Thrown if a file is not a complete export; the message is for the operator. */
class ExportFileError extends Error {}

const MOST_LINE_BYTES = 1_048_576;
const NEWLINE = 0x0a;

/**
 * Reads an export and yields its parts in order: JSON parts as objects, rows as buffers. Rows belong to the table of
 * the last table part. Throws if the file is incomplete.
 */
export async function* readExport(
  path: string,
): AsyncGenerator<Exclude<ExportPart, { bytes: number }> | Buffer> {
  const unzipped = createGunzip();
  // Errors of both streams surface where the uncompressed text is read.
  pipeline(createReadStream(path), unzipped).catch(() => undefined);
  try {
    let last: ExportPart | null = null;
    for await (const piece of piecesOf(unzipped)) {
      if (last === null) requireHead(piece);
      if (!Buffer.isBuffer(piece)) last = piece;
      yield piece;
    }
    if (!last || !('end' in last)) throw new ExportFileError('its end is missing');
  } catch (error) {
    throw explained(path, error as NodeJS.ErrnoException);
  } finally {
    unzipped.destroy();
  }
}

function requireHead(piece: object): void {
  const { format, version } = piece as Partial<ExportHead>;
  if (format !== FORMAT) throw new ExportFileError('it has no export header');
  if (version !== VERSION)
    throw new ExportFileError(`its version is ${version}, but only ${VERSION} is supported`);
}

/** Explains a read error. gzip has a checksum, so either the text is exactly what was written, or an error occurs. */
function explained(path: string, error: NodeJS.ErrnoException): Error {
  if (error.syscall)
    return new Error(
      `${path} cannot be read: ${error.message}. Specify a file that "database export" has written.`,
    );
  if (!(error instanceof ExportFileError) && !error.code?.startsWith('Z_')) return error;
  return new Error(`${path} is not a complete export: ${error.message}. Nothing was restored.`);
}

async function* piecesOf(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Exclude<ExportPart, { bytes: number }> | Buffer> {
  let held: Buffer = Buffer.alloc(0);
  /** Bytes of rows that precede the next line. */
  let rows = 0;
  for await (const chunk of chunks) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      if (rows > 0) {
        const part = held.subarray(0, rows);
        if (part.length > 0) yield part;
        rows -= part.length;
        held = held.subarray(part.length);
        if (rows > 0) break;
      }
      const end = held.indexOf(NEWLINE);
      if (end === -1) break;
      const note = parse(held.subarray(0, end));
      held = held.subarray(end + 1);
      if ('bytes' in note) rows = note.bytes;
      else yield note;
    }
    if (held.length > MOST_LINE_BYTES) throw new ExportFileError('a line of it is too long');
  }
  if (rows > 0 || held.length > 0) throw new ExportFileError('it ends in the middle of a table');
}

function parse(line: Buffer): ExportPart {
  try {
    return JSON.parse(line.toString('utf8')) as ExportPart;
  } catch {
    throw new ExportFileError('a line of it is not valid JSON');
  }
}

/**
 * Tables excluded from an export. The migrations that a restore applies fill `schema_migration`. Rows of the change
 * feed have transaction ids, which mean nothing in another cluster.
 */
const EXCLUDED: readonly string[] = ['schema_migration', 'change', 'change_watermark'];

/** Tables that migrations fill, so that an empty database has rows in them too. */
const SEEDED: readonly string[] = ['standing_look'];

/**
 * Lists the tables with their stored columns; a referenced table precedes those that refer to it. Leaves out generated
 * columns. A partitioned table counts as one table.
 */
export async function listTables(client: pg.Client): Promise<TablePart[]> {
  const { rows } = await client.query<TablePart & { refers: string[] }>(
    `SELECT c.relname AS table,
       (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = '') AS columns,
       (SELECT coalesce(json_agg(DISTINCT r.relname), '[]') FROM pg_constraint f JOIN pg_class r ON r.oid = f.confrelid
         WHERE f.conrelid = c.oid AND f.contype = 'f' AND f.conparentid = 0 AND f.confrelid <> c.oid) AS refers
     FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND c.relname <> ALL ($1)
     ORDER BY c.relname`,
    [EXCLUDED],
  );
  const ordered: TablePart[] = [];
  const placed = new Set<string>();
  while (ordered.length < rows.length) {
    const next = rows.filter(
      ({ table, refers }) => !placed.has(table) && refers.every((name) => placed.has(name)),
    );
    if (next.length === 0)
      throw new Error('The foreign keys of the tables form a cycle: no order can restore them.');
    for (const { table, columns } of next) {
      placed.add(table);
      ordered.push({ table, columns });
    }
  }
  return ordered;
}

/** Reads the position of each sequence. The position may be ahead of the snapshot's rows, but never behind. */
export async function listSequences(client: pg.Client): Promise<Sequence[]> {
  const { rows } = await client.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S' ORDER BY relname",
  );
  const sequences: Sequence[] = [];
  for (const { name } of rows) {
    const found = await client.query<{ value: string; called: boolean }>(
      `SELECT last_value::text AS value, is_called AS called FROM ${quoteIdentifier(name)}`,
    );
    for (const { value, called } of found.rows) sequences.push({ name, value, called });
  }
  return sequences;
}

/** Lists the tables that have rows. Leaves out tables that migrations fill. */
export async function filledTables(client: pg.Client, tables: readonly TablePart[]): Promise<string[]> {
  const filled: string[] = [];
  for (const { table } of tables) {
    if (SEEDED.includes(table)) continue;
    const { rows } = await client.query(`SELECT FROM ${quoteIdentifier(table)} LIMIT 1`);
    if (rows.length > 0) filled.push(table);
  }
  return filled;
}

/** Deletes the rows that migrations inserted, because the export contains them. */
export async function deleteSeededRows(client: pg.Client): Promise<void> {
  for (const table of SEEDED) {
    const { rows } = await client.query<{ there: boolean }>('SELECT to_regclass($1) IS NOT NULL AS there', [
      quoteIdentifier(table),
    ]);
    if (rows[0]?.there) await client.query(`DELETE FROM ${quoteIdentifier(table)}`);
  }
}

/** Quotes an SQL identifier. */
export function quoteIdentifier(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** SQL that makes the text of values independent of the database's own settings. */
export const PORTABLE_VALUE_FORMAT =
  "SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres'; SET LOCAL TimeZone = 'UTC'; " +
  "SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'; SET LOCAL client_encoding = 'UTF8'";
