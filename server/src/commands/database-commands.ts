import type { Command } from 'commander';
import { print } from './with-database.ts';

/** `migrate`: brings the schema up to date, or back. */
export function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database schema up to date')
    .option('--down-to <name>', 'undo migrations down to, and with, this one (its data is lost)')
    .action(async (options: { downTo?: string }) => {
      const { readConfig } = await import('../config/read-config.ts');
      const { migrateDown, migrateUp, warnOfUnknownMigrations } = await import('../database/migrate.ts');
      const { openDatabase } = await import('../database/open-database.ts');
      const { explainedFailure, unusableDatabase } = await import('../database/unusable-database.ts');
      const { url, embedded, stop } = await openDatabase(readConfig());
      try {
        const explain = options.downTo ? explainedFailure : unusableDatabase;
        const migrating = options.downTo
          ? migrateDown(url, { to: options.downTo })
          : migrateUp(url, { onUnknown: warnOfUnknownMigrations });
        const names = await migrating.catch((error: unknown) => {
          throw embedded ? error : explain(error);
        });
        print(
          names.length === 0
            ? 'the schema is up to date'
            : `${options.downTo ? 'undone' : 'done'}: ${names.join(', ')}`,
        );
      } finally {
        await stop();
      }
    });
}
