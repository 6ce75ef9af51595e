import { setFlagsFromString } from 'node:v8';
import { Command, InvalidArgumentError, Option } from 'commander';
import { addAccountCommands, addIdentityCommands } from './account-commands.ts';
import { addArchiveCommand } from './archive-command.ts';
import { addBackupCommands, reportOnLedger } from './backup-commands.ts';
import { addCreatorCommands } from './creator-commands.ts';
import { addCreditCommands } from './credit-commands.ts';
import { addKeyCommands } from './key-commands.ts';
import { addListingCommands } from './listing-commands.ts';
import { addRecomputeCommand, addRefreshCommand } from './renewal-commands.ts';
import { addSigningKeyCommands } from './signing-key-commands.ts';
import { addValidateCommand } from './validate-command.ts';
import { INTERRUPTED, interruption, print, printTable, withDatabase } from './with-database.ts';

/**
 * Heap growth between two garbage collections of an import, in percent of the live heap of 35 MB. With V8's default, an
 * import on fast machines used 200 MB more memory and no less processor time.
 */
const GARBAGE_PERCENT = 50;

/**
 * Adds `import FILE…`, which imports newline-delimited JSON (such as listings, creators and entries of the MCP
 * registry) and records about advisories of packages.
 */
function addImportCommand(program: Command): void {
  program
    .command('import')
    .description(
      'import listings, creators, accounts, artifacts, relations and entries of the MCP registry from newline-delimited JSON files, and advisories of packages from OSV records',
    )
    .argument(
      '<files...>',
      'files in any order, and folders of OSV records; the content of a file determines its type',
    )
    .option(
      '--rejects <file>',
      'file for lines that cannot be stored, with the reasons',
      'import-rejects.ndjson',
    )
    .option(
      '--whole',
      'the OSV files have every advisory of their registries, as an all.zip has: packages that they do not name count as not affected',
    )
    .addOption(
      new Option('--partial', 'no file has all advisories of its registry, whatever its name').conflicts(
        'whole',
      ),
    )
    .option(
      '--read-at <date>',
      'when the files were read from their sources, for facts that state no time of their own; by default the time of the files or their records',
      readingTime,
    )
    .action(
      (files: string[], options: { rejects: string; whole?: boolean; partial?: boolean; readAt?: Date }) =>
        withDatabase(async ({ config, database }) => {
          setFlagsFromString(`--heap-growing-percent=${GARBAGE_PERCENT}`);
          const { importAnyFiles } = await import('../intake/advisories/import-any-files.ts');
          const { createScoringBackend } = await import('../scoring/backends/create-backend.ts');
          const backend = createScoringBackend(config);
          try {
            const { rejects: rejectsPath, whole, partial, readAt } = options;
            const summary = await importAnyFiles(database, backend, files, {
              rejectsPath,
              extent: whole ? 'all' : partial ? 'none' : 'stated',
              ...(readAt && { readAt }),
              signal: interruption(),
            });
            if (!summary.finished) process.exitCode = INTERRUPTED;
          } finally {
            await backend.close();
          }
        }),
    );
}

/** Parses the value of `--read-at`: a day or an ISO 8601 time that is not in the future. */
function readingTime(text: string): Date {
  const isTime = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d))?$/.test(text);
  const time = new Date(text);
  if (isTime && time.getTime() <= Date.now()) {
    const day = text.slice(0, 'yyyy-mm-dd'.length);
    // Date parses 31 February as 3 March.
    if (new Date(day).toISOString().startsWith(day)) return time;
  }
  throw new InvalidArgumentError(
    'Write a day such as 2026-11-20, or a time such as 2026-11-20T09:30:00Z, that is not in the future.',
  );
}

/**
 * Creates the operator's command line. Without DATABASE_URL, commands that need a database join the embedded database
 * of a running server, or start that database for the duration of the command.
 */
export function createProgram(): Command {
  const program = new Command('trust-directory-server')
    .description('Operate a Trust Directory: its database, listings, accounts, keys and ledger.')
    .configureOutput({ outputError: (error, write) => write(`${explainUsageMistake(error)}\n`) });
  addServeCommand(program);
  addDatabaseCommands(program);
  addBackupCommands(program);
  addImportCommand(program);
  addAccountCommands(program);
  addIdentityCommands(program);
  addCreditCommands(program);
  addKeyCommands(program);
  addSigningKeyCommands(program);
  addCreatorCommands(program);
  addClaimCommands(program);
  addListingCommands(program);
  addRefreshCommand(program);
  addRecomputeCommand(program);
  addValidateCommand(program);
  addScoringCommand(program);
  addLedgerCommands(program);
  addArchiveCommand(program);
  return program;
}

/** Adds `serve`, which runs the server until a signal stops it; it is the default command. */
function addServeCommand(program: Command): void {
  program
    .command('serve')
    .description('start the server (default)')
    .option('--demo', 'add the sample listings and the demo account to the database of DATABASE_URL')
    .action(async ({ demo = false }: { demo?: boolean }) => {
      const { serve } = await import('../serve.ts');
      await serve({ demo });
    });
}

/**
 * Adds `scoring`, which serves the embedded method over HTTP. A server uses this process if its SCORING_URL is the
 * address of the process. The process needs no database.
 */
function addScoringCommand(program: Command): void {
  program
    .command('scoring')
    .description('serve the embedded scoring method over HTTP, for SCORING_URL of other servers')
    .action(async () => {
      const { serveScoring } = await import('./scoring-process/serve-scoring.ts');
      await serveScoring();
    });
}

/**
 * Adds `ledger verify`, which checks the invariants of the ledger and exits with 1 on any bad row. It can be
 * interrupted and continued.
 */
function addLedgerCommands(program: Command): void {
  const ledger = program.command('ledger').description('check the ledger');
  ledger
    .command('verify')
    .description('check that balances, runs, entries and scores are consistent; exits with 1 on any bad row')
    .option('--from <position>', 'continue an interrupted check from here', readPosition)
    .action(({ from }: { from?: string }) => withDatabase(({ database }) => reportOnLedger(database, from)));
}

function readPosition(text: string): string {
  if (/^(account|subject)\/[\da-f-]{36}$/.test(text)) return text;
  throw new InvalidArgumentError(
    'It must be a position that an interrupted check printed, such as account/ followed by an id.',
  );
}

/** Adds `migrate`, which applies or undoes migrations. */
function addDatabaseCommands(program: Command): void {
  program
    .command('migrate')
    .description('bring the database schema up to date')
    .option('--down-to <name>', 'undo migrations down to and including this one (their data is lost)')
    .action(async (options: { downTo?: string }) => {
      const { readConfig } = await import('../platform/config/process-config.ts');
      const { migrateDown, migrateUp, warnOfUnknownMigrations } = await import(
        '../platform/database/migrate.ts'
      );
      const { openDatabase } = await import('../platform/embedded-postgres/embedded-postgres.ts');
      const { explainedFailure, unusableDatabase } = await import(
        '../platform/database/unusable-database.ts'
      );
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

/** Adds the commands `claims list|decide`. */
function addClaimCommands(program: Command): void {
  const claims = program
    .command('claims')
    .description('claims to listings whose owner cannot be determined from the ids of the host');
  claims
    .command('list')
    .description('list open claims: claimant, listing and reason')
    .action(() =>
      withDatabase(async ({ database }) => {
        const { findOpenClaims } = await import('../ownership/proofs/decide-claim.ts');
        const { describeReason } = await import('../ownership/proofs/linked-accounts.presenter.ts');
        const open = await findOpenClaims(database);
        if (open.length === 0) print('no open claims');
        printTable(
          open.map(({ id, agentId, host, repository, claimant, handle, createdAt, reason }) => ({
            id,
            listing: agentId,
            repository: `${host}/${repository}`,
            claimant,
            proved: handle,
            since: createdAt.slice(0, 10),
            reason: describeReason(reason),
          })),
        );
      }),
    );
  claims
    .command('decide')
    .description('assign a claimed listing to the claimant, or refuse the claim')
    .requiredOption('--id <id>', 'id of the claim, as listed')
    .addOption(
      new Option('--decision <decision>', 'what to do').choices(['give', 'refuse']).makeOptionMandatory(),
    )
    .action(({ id, decision }: { id: string; decision: 'give' | 'refuse' }) =>
      withDatabase(async ({ config, database }) => {
        const { createHosts } = await import('../hosts/create-hosts.ts');
        const { decideClaim } = await import('../ownership/proofs/decide-claim.ts');
        const { createScoringBackend } = await import('../scoring/backends/create-backend.ts');
        const parts = { hosts: createHosts(config), backend: createScoringBackend(config) };
        try {
          const { agentId, claimant } = await decideClaim(database, parts, { id, decision });
          print(
            decision === 'give' ? `${agentId} is ${claimant}'s now` : `${claimant} does not get ${agentId}`,
          );
        } finally {
          await parts.hosts.close();
          await parts.backend.close();
        }
      }),
    );
}

/**
 * Error messages of the library commander, and the sentences that replace them and say what to do. `$1` and so on are
 * the groups of the pattern.
 */
const SENTENCES: readonly (readonly [error: RegExp, sentence: string])[] = [
  [/^required option '(.+)' not specified$/, 'The option $1 is missing: add it.'],
  [/^option '(.+)' argument missing$/, 'The option $1 has no value: write one after it.'],
  [/^missing required argument '(.+)'$/, 'The argument <$1> is missing: add it.'],
  [/^option '(.+)' argument '(.*)' is invalid\. (.+)$/, 'The option $1 cannot be "$2". $3'],
  [/^unknown option '(.+)'$/, 'There is no option $1: correct or remove it.'],
  [/^unknown command '(.+)'$/, 'There is no command $1: correct it.'],
  [
    /^too many arguments(?: for '(.+)')?\. Expected (\d+) arguments? but got (\d+)\.$/,
    'The command $1 takes $2 arguments, not $3: remove the others.',
  ],
];

/** Matches the suggestion that commander adds on a separate line. */
const SUGGESTION = /\n\((Did you mean .+\?)\)$/;

/** Explains a mistake in a command line in one line that says what to do. `error` is the text of commander. */
function explainUsageMistake(error: string): string {
  const text = error.trimEnd().replace(/^error: /, '');
  const [, suggestion] = SUGGESTION.exec(text) ?? [];
  const problem = text.replace(SUGGESTION, '');
  const [pattern, sentence] = SENTENCES.find(([known]) => known.test(problem)) ?? [];
  const explained = pattern && sentence ? problem.replace(pattern, sentence) : problem;
  return [explained, suggestion, 'Add --help to see what the command takes.'].filter(Boolean).join(' ');
}
