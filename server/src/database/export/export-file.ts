import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';

/**
 * What an export holds, in this order, compressed by gzip: a head; for each table its name and columns, its rows as COPY writes
 * them, in parts, and how many they are; the sequences; an end. Each is a line of JSON, and after one that says `bytes` come
 * so many bytes of rows.
 */
export type Note = Head | TableNote | { bytes: number } | { rows: number } | SequencesNote | { end: true };

export interface Head {
  readonly format: typeof FORMAT;
  /** Of the file; another way to write one gets another number. */
  readonly version: typeof VERSION;
  /** What had been applied to the database: its tables are known by that. */
  readonly migrations: readonly string[];
}

export interface TableNote {
  readonly table: string;
  readonly columns: readonly string[];
}

interface SequencesNote {
  readonly sequences: readonly Sequence[];
}

export interface Sequence {
  readonly name: string;
  readonly value: string;
  readonly called: boolean;
}

export const FORMAT = 'trust-directory-export';
export const VERSION = 1;

/** A file that is no export, or not a whole one; the message is for the operator. */
class ExportFileError extends Error {}

const MOST_LINE_BYTES = 1_048_576;
const NEWLINE = 0x0a;

/** Reads an export: its notes, and between them rows of the table named last. Throws where the file is not a whole one. */
export async function* readExport(path: string): AsyncGenerator<Exclude<Note, { bytes: number }> | Buffer> {
  const unzipped = createGunzip();
  // A failure of either arrives where the text is read.
  pipeline(createReadStream(path), unzipped).catch(() => undefined);
  try {
    let last: Note | null = null;
    for await (const piece of piecesOf(unzipped)) {
      if (last === null) requireHead(piece);
      if (!Buffer.isBuffer(piece)) last = piece;
      yield piece;
    }
    if (!last || !('end' in last)) throw new ExportFileError('it ends before its end');
  } catch (error) {
    throw explained(path, error as NodeJS.ErrnoException);
  } finally {
    unzipped.destroy();
  }
}

function requireHead(piece: object): void {
  const { format, version } = piece as Partial<Head>;
  if (format !== FORMAT) throw new ExportFileError('it does not begin as one');
  if (version !== VERSION)
    throw new ExportFileError(`its version is ${version}, and ${VERSION} is known here`);
}

/** The compression has a sum of its own, so what arrives is what was written, or an error. */
function explained(path: string, error: NodeJS.ErrnoException): Error {
  if (error.syscall)
    return new Error(
      `${path} cannot be read: ${error.message}. Name a file that "database export" has written.`,
    );
  if (!(error instanceof ExportFileError) && !error.code?.startsWith('Z_')) return error;
  return new Error(`${path} is no whole export: ${error.message}. Nothing was restored.`);
}

async function* piecesOf(
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<Exclude<Note, { bytes: number }> | Buffer> {
  let held: Buffer = Buffer.alloc(0);
  /** Bytes of rows that are still to come before the next line. */
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
    if (held.length > MOST_LINE_BYTES) throw new ExportFileError('a line of it has no end');
  }
  if (rows > 0 || held.length > 0) throw new ExportFileError('it ends in the middle of a table');
}

function parse(line: Buffer): Note {
  try {
    return JSON.parse(line.toString('utf8')) as Note;
  } catch {
    throw new ExportFileError('a line of it cannot be read');
  }
}
