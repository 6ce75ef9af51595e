import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { LAST_BEFORE_BASELINE } from '../adopt-baseline.ts';
import { SET_NO_TIMEOUTS, withAdvisoryLock } from '../advisory-lock.ts';
import { CHANGE_CHANNEL, EVERYTHING } from '../change-announcements.ts';
import { errorCode, isOutcomeUnknown } from '../database-errors.ts';
import { appliedMigrations, MIGRATION_LOCK, migrateUp, migrationNames } from '../migrate.ts';
import {
  deleteSeededRows,
  type ExportHead,
  filledTables,
  listTables,
  PORTABLE_VALUE_FORMAT,
  quoteIdentifier,
  readExport,
  type Sequence,
  type TablePart,
} from './export-file.ts';
import type { ExportOptions, ExportSummary } from './write-export.ts';

/**
 * Restores an export into an empty database; one transaction loads all rows. First reads the whole file, to check that
 * it is complete. An export of an earlier schema is loaded into that schema, which is then migrated.
 */
export async function restoreExport(
  url: string,
  path: string,
  options: ExportOptions = {},
): Promise<ExportSummary> {
  const migrations = await migrationsFor(path, await readWhole(path, options.signal));
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
        `The database did not confirm that ${path} is restored: ${error.message}. Restore it again: if it is restored, that is refused ` +
          'because the database is not empty.',
      );
    });
    // ANALYZE, because plans depend on row counts.
    await client.query(`BEGIN; ${SET_NO_TIMEOUTS}; ANALYZE; COMMIT`);
    return loaded;
  });
  await migrateUp(url);
  return summary;
}

/** SQLSTATE classes of rows that do not fit: 23 integrity constraints, 22 invalid values, 42 missing columns. */
const UNFIT_ROWS = /^(22|23|42)/;

/** Explains a failure before the commit. Returns interruptions, and errors that explain themselves, unchanged. */
function unrestored(path: string, error: unknown): unknown {
  const { message, table, constraint } = error as pg.DatabaseError;
  const code = errorCode(error)?.code;
  if (code !== undefined && UNFIT_ROWS.test(code)) {
    const where = [table && `table ${table}`, constraint && `constraint ${constraint}`]
      .filter(Boolean)
      .join(', ');
    return new Error(
      `${path} cannot be restored, because its rows do not fit the database (${message}${where && `; ${where}`}): it may have been changed ` +
        'after it was written. Nothing was restored: create another export of the original database.',
      { cause: error },
    );
  }
  if (code === undefined && !isOutcomeUnknown(error)) return error;
  return new Error(
    `The database aborted the restore of ${path}: ${message}. Nothing was restored: check that PostgreSQL runs and has space ` +
      'on its disk, then restore again.',
    { cause: error },
  );
}

/** Reads a file to its end and returns its head. */
async function readWhole(path: string, signal: AbortSignal | undefined): Promise<ExportHead> {
  let head: ExportHead | null = null;
  for await (const piece of readExport(path)) {
    signal?.throwIfAborted();
    head ??= piece as ExportHead;
  }
  // A complete file begins with the head.
  return head as unknown as ExportHead;
}

/**
 * Returns the migrations that make the tables of an export. For an export from the last version before the baseline,
 * this is the baseline. Throws if this version does not know one of the export's migrations.
 */
async function migrationsFor(path: string, { migrations }: ExportHead): Promise<string[]> {
  const known = await migrationNames();
  const [baseline = ''] = known;
  const former = migrations.filter((name) => name < baseline);
  if (former.length > 0 && !former.includes(LAST_BEFORE_BASELINE))
    throw new Error(
      `${path} was made by a version whose last migration is ${former.at(-1)}: restore it with the version whose last migration is ` +
        `${LAST_BEFORE_BASELINE}, and export it again with that. Nothing was restored.`,
    );
  const later = migrations.filter((name) => name > baseline);
  const unknown = later.filter((name) => !known.includes(name));
  if (unknown.length === 0) return [baseline, ...later];
  throw new Error(
    `${path} was made by a version with the migrations ${unknown.join(', ')}, which this one does not know: restore it with that ` +
      'version or a newer one. Nothing was restored.',
  );
}

/**
 * Throws if the database has rows, or migrations that the export does not have. Rolling back a migration is left to
 * the operator.
 */
async function requireEmpty(client: pg.Client, migrations: readonly string[]): Promise<void> {
  const [baseline = ''] = migrations;
  const ahead = (await appliedMigrations(client)).filter(
    (name) => name > baseline && !migrations.includes(name),
  );
  const filled = await filledTables(client, await listTables(client));
  if (filled.length > 0)
    throw new Error(
      `The database is not empty (${filled.slice(0, 5).join(', ')}): an export can only be restored into an empty one. Nothing was changed.`,
    );
  if (ahead.length > 0)
    throw new Error(
      `The database has migrations that the export does not have (${ahead.slice(0, 5).join(', ')}): use an empty one. Nothing was changed.`,
    );
}

async function load(
  client: pg.Client,
  path: string,
  migrations: readonly string[],
  { signal, onTable }: ExportOptions,
): Promise<ExportSummary> {
  await client.query(`${SET_NO_TIMEOUTS}; ${PORTABLE_VALUE_FORMAT}`);
  const tables = await listTables(client);
  // Triggers already ran in the exported database, so the file contains their results. From here on, the locks of
  // ALTER TABLE block all other writers.
  for (const { table } of tables)
    await client.query(`ALTER TABLE ${quoteIdentifier(table)} DISABLE TRIGGER USER`);
  await requireEmpty(client, migrations);
  await deleteSeededRows(client);
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
  for (const { table } of tables)
    await client.query(`ALTER TABLE ${quoteIdentifier(table)} ENABLE TRIGGER USER`);
  // Servers then drop responses that they cached from the empty database.
  await client.query('SELECT pg_notify($1, $2)', [CHANGE_CHANNEL, EVERYTHING]);
  return summary;
}

/** Stores the rows of one table and returns their number. Throws if it differs from the number in the file. */
async function copyTable(
  client: pg.Client,
  { table, columns }: TablePart,
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
    copyFrom(`COPY ${quoteIdentifier(table)} (${columns.map(quoteIdentifier).join(', ')}) FROM STDIN`),
  );
  await pipeline(Readable.from(rows()), copying, { ...(signal && { signal }) });
  if (copying.rowCount !== expected)
    throw new Error(`${table} has ${copying.rowCount} rows instead of ${expected}. Nothing was restored.`);
  return expected;
}

async function setSequences(client: pg.Client, sequences: readonly Sequence[]): Promise<void> {
  for (const { name, value, called } of sequences)
    await client.query('SELECT setval($1::regclass, $2, $3)', [quoteIdentifier(name), value, called]);
}
