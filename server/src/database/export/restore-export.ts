import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { WITHOUT_LIMITS, withAdvisoryLock } from '../advisory-lock.ts';
import { CHANGE_CHANNEL, EVERYTHING } from '../announced-change.ts';
import { errorCode, isOutcomeUnknown } from '../database-errors.ts';
import { appliedMigrations, MIGRATION_LOCK, migrateUp, migrationNames } from '../migrate.ts';
import { type Head, readExport, type Sequence, type TableNote } from './export-file.ts';
import { emptySeeded, filledTables, listTables, PLAIN_VALUES, quoted } from './tables.ts';
import type { ExportOptions, ExportSummary } from './write-export.ts';

/**
 * Restores an export into an empty database, in one transaction: all of it, or nothing. The file is read to its end before
 * anything is done. One of an earlier schema is loaded into that, and then brought up to date.
 */
export async function restoreExport(
  url: string,
  path: string,
  options: ExportOptions = {},
): Promise<ExportSummary> {
  const { migrations } = await readWhole(path, options.signal);
  await requireKnown(path, migrations);
  const missing = await withAdvisoryLock(url, MIGRATION_LOCK, async (client) => {
    await requireEmpty(client, migrations);
    const applied = await appliedMigrations(client);
    return migrations.filter((name) => !applied.includes(name));
  });
  const to = missing.at(-1);
  if (to !== undefined) await migrateUp(url, { to });
  const summary = await withAdvisoryLock(url, MIGRATION_LOCK, async (client) => {
    await client.query('BEGIN');
    const loaded = await load(client, path, migrations, options).catch((error: unknown) => {
      throw unrestored(path, error);
    });
    await client.query('COMMIT').catch((error: Error) => {
      throw new Error(
        `The database did not answer whether ${path} is restored: ${error.message}. Restore it again: where it is, that is refused ` +
          'because the database is not empty.',
      );
    });
    // Plans go by how many rows there are.
    await client.query(`BEGIN; ${WITHOUT_LIMITS}; ANALYZE; COMMIT`);
    return loaded;
  });
  await migrateUp(url);
  return summary;
}

/** Integrity constraints (class 23), values that do not fit their type (22), and columns that are not there (42). */
const UNFIT_ROWS = /^(22|23|42)/;

/** Explains what ended a restore before its commit; an interruption, and what explains itself, stay as they are. */
function unrestored(path: string, error: unknown): unknown {
  const { message, table, constraint } = error as pg.DatabaseError;
  const code = errorCode(error)?.code;
  if (code !== undefined && UNFIT_ROWS.test(code)) {
    const where = [table && `table ${table}`, constraint && `constraint ${constraint}`]
      .filter(Boolean)
      .join(', ');
    return new Error(
      `${path} cannot be restored, because its rows do not fit the database (${message}${where && `; ${where}`}): it may have been changed ` +
        'after it was written. Nothing was restored: take another export of the database that it comes from.',
      { cause: error },
    );
  }
  if (code === undefined && !isOutcomeUnknown(error)) return error;
  return new Error(
    `The restore of ${path} was broken off by the database: ${message}. Nothing was restored: see that PostgreSQL runs and has room ` +
      'on its disk, then restore again.',
    { cause: error },
  );
}

/** Answers the head of a file that is whole. */
async function readWhole(path: string, signal: AbortSignal | undefined): Promise<Head> {
  let head: Head | null = null;
  for await (const piece of readExport(path)) {
    signal?.throwIfAborted();
    head ??= piece as Head;
  }
  // What is whole begins with it.
  return head as unknown as Head;
}

async function requireKnown(path: string, migrations: readonly string[]): Promise<void> {
  const known = await migrationNames();
  const unknown = migrations.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new Error(
    `${path} was made by a version that has ${unknown.join(', ')}, which this one does not know: restore it with that ` +
      'version or a newer one. Nothing was restored.',
  );
}

/** Without rows, and without a migration that the file's database did not have: taking one back is left to the operator. */
async function requireEmpty(client: pg.Client, migrations: readonly string[]): Promise<void> {
  const ahead = (await appliedMigrations(client)).filter((name) => !migrations.includes(name));
  const filled = await filledTables(client, await listTables(client));
  if (filled.length > 0)
    throw new Error(
      `The database is not empty (${filled.slice(0, 5).join(', ')}): an export is restored into an empty one only. Nothing was changed.`,
    );
  if (ahead.length > 0)
    throw new Error(
      `The database has migrations that the export's did not (${ahead.slice(0, 5).join(', ')}): take an empty one. Nothing was changed.`,
    );
}

async function load(
  client: pg.Client,
  path: string,
  migrations: readonly string[],
  { signal, onTable }: ExportOptions,
): Promise<ExportSummary> {
  await client.query(`${WITHOUT_LIMITS}; ${PLAIN_VALUES}`);
  const tables = await listTables(client);
  // What triggers would do was done, and is in the file. From here on nobody else writes.
  for (const { table } of tables) await client.query(`ALTER TABLE ${quoted(table)} DISABLE TRIGGER USER`);
  await requireEmpty(client, migrations);
  await emptySeeded(client);
  const summary = { tables: 0, rows: 0 };
  const pieces = readExport(path);
  try {
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
      const note = piece.value;
      if ('table' in note) {
        const rows = await copyTable(client, note, pieces, signal);
        summary.tables += 1;
        summary.rows += rows;
        await onTable?.(note.table, rows);
      } else if ('sequences' in note) await setSequences(client, note.sequences);
    }
  } finally {
    await pieces.return(undefined);
  }
  for (const { table } of tables) await client.query(`ALTER TABLE ${quoted(table)} ENABLE TRIGGER USER`);
  // Who keeps answers of the empty database forgets them.
  await client.query('SELECT pg_notify($1, $2)', [CHANGE_CHANNEL, EVERYTHING]);
  return summary;
}

/** Stores the rows that come next, up to the note of how many they are; answers that. */
async function copyTable(
  client: pg.Client,
  { table, columns }: TableNote,
  pieces: ReturnType<typeof readExport>,
  signal: AbortSignal | undefined,
): Promise<number> {
  let expected = -1;
  async function* rows(): AsyncGenerator<Buffer> {
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
      if (Buffer.isBuffer(piece.value)) yield piece.value;
      else {
        if ('rows' in piece.value) expected = piece.value.rows;
        return;
      }
    }
  }
  const { from: copyFrom } = await import('pg-copy-streams');
  const copying = client.query(
    copyFrom(`COPY ${quoted(table)} (${columns.map(quoted).join(', ')}) FROM STDIN`),
  );
  await pipeline(Readable.from(rows()), copying, { ...(signal && { signal }) });
  if (copying.rowCount !== expected)
    throw new Error(`${table} has ${copying.rowCount} rows in place of ${expected}. Nothing was restored.`);
  return expected;
}

async function setSequences(client: pg.Client, sequences: readonly Sequence[]): Promise<void> {
  for (const { name, value, called } of sequences)
    await client.query('SELECT setval($1::regclass, $2, $3)', [quoted(name), value, called]);
}
