import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { type HeldLock, WITHOUT_LIMITS, withAdvisoryLock } from '../advisory-lock.ts';
import { appliedMigrations, MIGRATION_LOCK } from '../migrate.ts';
import { FORMAT, type Note, VERSION } from './export-file.ts';
import { listSequences, listTables, PLAIN_VALUES, quoted } from './tables.ts';

export interface ExportOptions {
  /** Ends it early: no file is left. */
  readonly signal?: AbortSignal;
  /** Told of each table, once its rows are written or stored; what it promises is waited for. */
  readonly onTable?: (table: string, rows: number) => void | Promise<void>;
}

/** How much was written or stored. */
export interface ExportSummary {
  readonly tables: number;
  readonly rows: number;
}

/** Rows come one by one: so many bytes of them are written at once. */
const PART_BYTES = 65_536;
/** Hashes of keys and sessions are in it. */
const OWNER_ONLY = 0o600;

/**
 * Writes all that the database holds in one snapshot, while others go on reading and writing. The file appears under its name
 * when it is whole; one that is there already is refused.
 */
export async function writeExport(
  url: string,
  path: string,
  options: ExportOptions = {},
): Promise<ExportSummary> {
  if (await isThere(path)) throw new Error(`${path} is there already: name another file, or move it away.`);
  const draft = `${path}.${process.pid}.partial`;
  const summary = { tables: 0, rows: 0 };
  const count = async (table: string, rows: number) => {
    summary.tables += 1;
    summary.rows += rows;
    await options.onTable?.(table, rows);
  };
  try {
    // Migrations wait until the snapshot has its tables, and then only for those.
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

/** What an operator can do where the file cannot be written, by the system's code. */
const ADVICE: Readonly<Record<string, string>> = {
  ENOENT: 'make its folder, or name a file in one that is there',
  ENOTDIR: 'name a file in a folder',
  EACCES: 'let this user write to its folder, or name a file in another',
  EROFS: 'the disk is read-only: name a file on another',
  ENOSPC: 'the disk is full: free some space, or name a file on another',
};

const FILE_CALLS: readonly string[] = ['open', 'write', 'writev', 'fsync', 'close', 'rename'];

/** Explains an error of the system that comes from the file; any other, such as one of the connection, stays as it is. */
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
  await client.query(`${WITHOUT_LIMITS}; ${PLAIN_VALUES}`);
  const migrations = await appliedMigrations(client);
  if (migrations.length === 0) throw new Error('The database has no schema yet: there is nothing to export.');
  const tables = await listTables(client);
  await client.query(
    `LOCK TABLE ${tables.map(({ table }) => quoted(table)).join(', ')} IN ACCESS SHARE MODE`,
  );
  await held.release();
  yield line({ format: FORMAT, version: VERSION, migrations });
  for (const note of tables) {
    yield line(note);
    const selected = `SELECT ${note.columns.map(quoted).join(', ')} FROM ${quoted(note.table)}`;
    const { to: copyTo } = await import('pg-copy-streams');
    const copying = client.query(copyTo(`COPY (${selected}) TO STDOUT`));
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

function line(note: Note): string {
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
