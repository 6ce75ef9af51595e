import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { type HeldLock, SET_NO_TIMEOUTS, withAdvisoryLock } from '../advisory-lock.ts';
import { appliedMigrations, MIGRATION_LOCK } from '../migrate.ts';
import {
  type ExportPart,
  FORMAT,
  listSequences,
  listTables,
  PORTABLE_VALUE_FORMAT,
  quoteIdentifier,
  VERSION,
} from './export-file.ts';

export interface ExportOptions {
  /** Signal that cancels the export or the restore. A cancelled export leaves no file. */
  readonly signal?: AbortSignal;
  /** Called and awaited for each table, once all its rows are written (export) or stored (restore). */
  readonly onTable?: (table: string, rows: number) => void | Promise<void>;
}

/** Number of tables and rows written or stored. */
export interface ExportSummary {
  readonly tables: number;
  readonly rows: number;
}

/** Size in bytes from which collected rows are written as one part, because PostgreSQL sends them one by one. */
const PART_BYTES = 65_536;
/** File mode that lets only the owner read the export, because it contains hashes of keys and sessions. */
const OWNER_ONLY = 0o600;

/**
 * Writes one snapshot of the tables that `listTables` returns to a file, while other sessions keep reading and writing.
 * The file gets its name when it is complete; an existing file is refused. Without one snapshot, `export.long.test.ts`
 * fails.
 */
export async function writeExport(
  url: string,
  path: string,
  options: ExportOptions = {},
): Promise<ExportSummary> {
  if (await isThere(path)) throw new Error(`${path} already exists: specify another file, or move it away.`);
  const draft = `${path}.${process.pid}.partial`;
  const summary = { tables: 0, rows: 0 };
  const count = async (table: string, rows: number) => {
    summary.tables += 1;
    summary.rows += rows;
    await options.onTable?.(table, rows);
  };
  try {
    // Migrations wait for this lock until the export has locked its tables; afterwards they wait only for the locks of
    // these tables.
    await withAdvisoryLock(url, MIGRATION_LOCK, async (client, held) => {
      const file = createWriteStream(draft, { flags: 'wx', mode: OWNER_ONLY, flush: true });
      const { signal } = options;
      await pipeline(piecesOf(client, held, count), createGzip(), file, { ...(signal && { signal }) });
    });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw explained(path, error as NodeJS.ErrnoException);
  }
  return summary;
}

/** Advice for operators when the file is not writable, by the system's error code. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'create its folder, or specify a file in an existing one',
  ENOTDIR: 'its parent is not a folder, specify another file',
  EACCES: 'let this user write to its folder, or specify a file in another',
  EROFS: 'the disk is read-only: specify a file on another',
  ENOSPC: 'the disk is full: free some space, or specify a file on another',
};

const FILE_CALLS: readonly string[] = ['open', 'write', 'writev', 'fsync', 'close', 'rename'];

/** Explains a system error of the file. Returns any other error, such as one of the connection, unchanged. */
function explained(path: string, error: NodeJS.ErrnoException): Error {
  const advice = ADVICE[error.code ?? ''];
  return FILE_CALLS.includes(error.syscall ?? '') && advice !== undefined
    ? new Error(`${path} cannot be written (${error.code}): ${advice}. Nothing was exported.`, {
        cause: error,
      })
    : error;
}

async function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

async function* piecesOf(
  client: pg.Client,
  held: HeldLock,
  count: (table: string, rows: number) => Promise<void>,
): AsyncGenerator<string | Buffer> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(`${SET_NO_TIMEOUTS}; ${PORTABLE_VALUE_FORMAT}`);
  const migrations = await appliedMigrations(client);
  if (migrations.length === 0) throw new Error('The database has no schema yet: there is nothing to export.');
  const tables = await listTables(client);
  await client.query(
    `LOCK TABLE ${tables.map(({ table }) => quoteIdentifier(table)).join(', ')} IN ACCESS SHARE MODE`,
  );
  await held.release();
  yield line({ format: FORMAT, version: VERSION, migrations });
  for (const note of tables) {
    yield line(note);
    const selected = `SELECT ${note.columns.map(quoteIdentifier).join(', ')} FROM ${quoteIdentifier(note.table)}`;
    const { to } = await import('pg-copy-streams');
    const copying = client.query(to(`COPY (${selected}) TO STDOUT`));
    for await (const part of inParts(copying)) {
      yield line({ bytes: part.length });
      yield part;
    }
    yield line({ rows: copying.rowCount });
    await count(note.table, copying.rowCount);
  }
  yield line({ sequences: await listSequences(client) });
  yield line({ end: true });
}

function line(note: ExportPart): string {
  return `${JSON.stringify(note)}\n`;
}

async function* inParts(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let held: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    held.push(chunk);
    size += chunk.length;
    if (size < PART_BYTES) continue;
    yield Buffer.concat(held);
    held = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(held);
}
