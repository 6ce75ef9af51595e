import type { Command } from 'commander';
import { INTERRUPTED, interruption } from './interruption.ts';
import { reportOnLedger } from './ledger-report.ts';
import { print, withDatabase } from './with-database.ts';

/** `database export FILE` and `database restore FILE`: all of a database as one file, and back. */
export function addBackupCommands(program: Command): void {
  const database = program.command('database').description('export the database to a file, and restore it');
  database
    .command('export')
    .description(
      'write all that the database holds, in one snapshot, to a file; it holds hashes of keys, so keep it as safe',
    )
    .argument('<file>', 'new file to write; an existing one is refused')
    .action((file: string) =>
      withUrl(async (url, signal) => {
        const { writeExport } = await import('../database/export/write-export.ts');
        const { tables, rows } = await writeExport(url, file, { signal, onTable: tell });
        print(`${rows} rows of ${tables} tables are in ${file}`);
      }),
    );
  database
    .command('restore')
    .description('restore such a file into an empty database, wholly or not at all, and check the ledger')
    .argument('<file>', 'what export has written')
    .action(async (file: string) => {
      await withUrl(async (url, signal) => {
        const { restoreExport } = await import('../database/export/restore-export.ts');
        const { tables, rows } = await restoreExport(url, file, { signal, onTable: tell });
        print(`${rows} rows of ${tables} tables are restored`);
      });
      if (process.exitCode !== INTERRUPTED) await withDatabase(({ database }) => reportOnLedger(database));
    });
}

/** Progress is for a person who waits: it is not the result. */
function tell(table: string, rows: number): void {
  process.stderr.write(`${table}: ${rows} rows\n`);
}

/** Opens the database as it is: what is exported is not changed before, and what is restored brings its own schema. */
async function withUrl(work: (url: string, signal: AbortSignal) => Promise<void>): Promise<void> {
  const { readConfig } = await import('../config/read-config.ts');
  const { openDatabase } = await import('../database/open-database.ts');
  const { explainedFailure } = await import('../database/unusable-database.ts');
  const { url, embedded, stop } = await openDatabase(readConfig());
  const signal = interruption();
  try {
    await work(url, signal);
  } catch (error) {
    if (!signal.aborted) throw embedded ? error : explainedFailure(error);
    process.stderr.write('interrupted: nothing is left of it\n');
    process.exitCode = INTERRUPTED;
  } finally {
    await stop();
  }
}
