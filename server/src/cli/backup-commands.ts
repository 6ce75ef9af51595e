import type { Command } from 'commander';
import { ProgressReporter } from '../intake/import/progress-reporter.ts';
import type { Database } from '../platform/database/connect.ts';
import { INTERRUPTED, interruption, print, withDatabase } from './with-database.ts';

/** Adds `database export FILE` and `database restore FILE`, which save a whole database to one file and restore it. */
export function addBackupCommands(program: Command): void {
  const database = program.command('database').description('export the database to a file, and restore it');
  database
    .command('export')
    .description(
      'write one snapshot of the whole database to a file; it contains hashes of keys, so protect it like the database',
    )
    .argument('<file>', 'new file to write; an existing one is refused')
    .action((file: string) =>
      withUrl(async (url, signal) => {
        const { writeExport } = await import('../platform/database/export/write-export.ts');
        const { tables, rows } = await writeExport(url, file, { signal, onTable: printProgress });
        print(`${rows} rows of ${tables} tables are in ${file}`);
      }),
    );
  database
    .command('restore')
    .description('restore an export into an empty database, completely or not at all, and check the ledger')
    .argument('<file>', 'file written by "database export"')
    .action(async (file: string) => {
      await withUrl(async (url, signal) => {
        const { restoreExport } = await import('../platform/database/export/restore-export.ts');
        const { tables, rows } = await restoreExport(url, file, { signal, onTable: printProgress });
        print(`${rows} rows of ${tables} tables are restored`);
      });
      if (process.exitCode !== INTERRUPTED) await withDatabase(({ database }) => reportOnLedger(database));
    });
}

/** Prints progress on stderr, since it is not part of the result. */
function printProgress(table: string, rows: number): void {
  process.stderr.write(`${table}: ${rows} rows\n`);
}

/**
 * Runs the work with the database's URL, without migrating: an export must not change the database, and a restored
 * database brings its own schema.
 */
async function withUrl(work: (url: string, signal: AbortSignal) => Promise<void>): Promise<void> {
  const { readConfig } = await import('../platform/config/process-config.ts');
  const { openDatabase } = await import('../platform/embedded-postgres/embedded-postgres.ts');
  const { explainedFailure } = await import('../platform/database/unusable-database.ts');
  const { url, embedded, stop } = await openDatabase(readConfig());
  const signal = interruption();
  try {
    await work(url, signal);
  } catch (error) {
    // A commit whose outcome is unknown explains itself, even if the user has interrupted it.
    if ((error as Error).name !== 'AbortError') throw embedded ? error : explainedFailure(error);
    process.stderr.write('interrupted: no data was changed; run the command again\n');
    process.exitCode = INTERRUPTED;
  } finally {
    await stop();
  }
}

/**
 * Checks the invariants of the ledger, from a position or from the start. Prints counts and each bad row. Any bad row
 * makes the command exit with 1.
 */
export async function reportOnLedger(database: Database, from?: string): Promise<void> {
  const { countRows, verifyLedger } = await import('../billing/ledger/verify.ts');
  const progress = new ProgressReporter(process.stderr);
  progress.begin('runs and scores', await countRows(database));
  const report = await verifyLedger(database, {
    ...(from && { from }),
    signal: interruption(),
    onRows: (rows) => progress.advance(rows),
  });
  const { buckets, runs, entries, bad, resumeFrom: next } = report;
  print(`${buckets} buckets, ${runs} runs, ${entries} entries, ${bad.length} bad rows`);
  for (const row of bad) print(`${row.problem}: ${row.id}`);
  if (next) print(`Interrupted. Continue with: ledger verify --from ${next}`);
  if (bad.length > 0) process.exitCode = 1;
  else if (next) process.exitCode = INTERRUPTED;
}
