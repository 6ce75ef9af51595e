import { setFlagsFromString } from 'node:v8';
import type { Command } from 'commander';
import { INTERRUPTED, interruption } from './interruption.ts';
import { withDatabase } from './with-database.ts';

/**
 * What an import lets lie until the next collection, in percent of what it keeps, which is 35 MB: with what V8 chooses on a quick
 * machine it took 200 MB more, and no less processor time.
 */
const GARBAGE_PERCENT = 50;

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
        setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
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
