import type { Command } from 'commander';
import { print } from './with-database.ts';

/** `migrate`: brings the schema up to date, or back. */
export function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database schema up to date')
    .option('--down-to <name>', 'undo migrations down to, and with, this one (its data is lost)')
    .action(async (options: { downTo?: string }) => {
      const { loadConfig, readEnvironment } = await import('../config/load-config.ts');
      const { migrateDown, migrateUp } = await import('../database/migrate.ts');
      const { openDatabase } = await import('../database/open-database.ts');
      const { url, stop } = await openDatabase(loadConfig(readEnvironment()));
      try {
        const names = options.downTo ? await migrateDown(url, { to: options.downTo }) : await migrateUp(url);
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
