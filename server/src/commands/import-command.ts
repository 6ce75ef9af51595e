import type { Command } from 'commander';
import { INTERRUPTED, interruption } from './interruption.ts';
import { withDatabase } from './with-database.ts';

/** `import FILE…`: listings, creators, accounts, artifacts and relations from newline-delimited JSON. */
export function addImportCommand(program: Command): void {
  program
    .command('import')
    .description(
      'import listings, creators, accounts, artifacts and relations from newline-delimited JSON files',
    )
    .argument('<files...>', 'files in any order; what a row is, its fields tell')
    .option(
      '--rejects <file>',
      'where lines that cannot be stored are told with their reason',
      'import-rejects.ndjson',
    )
    .action((files: string[], options: { rejects: string }) =>
      withDatabase(async ({ config, database }) => {
        const { importFiles } = await import('../import/import-files.ts');
        const { createScoringBackend } = await import('../scoring/backends/create-backend.ts');
        const backend = createScoringBackend(config);
        try {
          const { rejects: rejectsPath } = options;
          const summary = await importFiles(database, backend, files, {
            rejectsPath,
            signal: interruption(),
          });
          if (!summary.finished) process.exitCode = INTERRUPTED;
        } finally {
          await backend.close();
        }
      }),
    );
}
