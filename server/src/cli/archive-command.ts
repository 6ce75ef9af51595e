import { type Command, InvalidArgumentError } from 'commander';
import type { ArchiveReport } from '../billing/ledger/archive.ts';
import { formatNumber, ProgressReporter } from '../intake/import/progress-reporter.ts';
import { INTERRUPTED, interruption, print, type Tools, withDatabase } from './with-database.ts';

interface Options {
  closedFor: number;
  dryRun?: boolean;
}

/**
 * Adds `archive`, which replaces the ledger entries of each balance whose period is closed by one entry, and packs old
 * score inputs together. It may be interrupted, killed and started again.
 */
export function addArchiveCommand(program: Command): void {
  program
    .command('archive')
    .description('roll up the entries and score inputs of closed periods')
    .option('--closed-for <days>', 'days since the end of a period', readDays, 90)
    .option('--dry-run', 'only print what would be done')
    .action((options: Options) =>
      withDatabase(async (tools) => {
        const { withFreeAdvisoryLock } = await import('../platform/database/advisory-lock.ts');
        const run = () => runArchive(tools, options);
        await withFreeAdvisoryLock(tools.databaseUrl, ARCHIVE_LOCK, run, anotherRuns);
      }),
    );
}

/** Arbitrary id of the advisory lock that prevents two archive runs at once: they would do the same work. */
const ARCHIVE_LOCK = 7_310_121;
/**
 * Minimum of `--closed-for`. Two days are much longer than the lease of held credits, and than any difference between
 * clocks.
 */
const FEWEST_DAYS = 2;
const MOST_DAYS = 36_500;

function readDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= FEWEST_DAYS && days <= MOST_DAYS) return days;
  throw new InvalidArgumentError(`It must be a number of days from ${FEWEST_DAYS} to ${MOST_DAYS}.`);
}

function anotherRuns(): Error {
  return new Error(
    'Another archive run is in progress on this database, so this one did nothing. Start it again after that one has ended.',
  );
}

async function runArchive({ database }: Tools, { closedFor, dryRun = false }: Options): Promise<void> {
  const { archive, countRows } = await import('../billing/ledger/archive.ts');
  const progress = new ProgressReporter(process.stderr);
  progress.begin('balances and scores', await countRows(database));
  const report = await archive(database, {
    closedForDays: closedFor,
    dryRun,
    signal: interruption(),
    onRows: (rows) => progress.advance(rows),
  });
  progress.end();
  for (const line of linesOf(report, dryRun)) print(line);
  if (!report.finished) process.exitCode = INTERRUPTED;
}

function linesOf(
  { before, buckets, skipped: unarchived, contents, finished }: ArchiveReport,
  dryRun: boolean,
): string[] {
  const done = dryRun ? 'Would roll up' : 'Rolled up';
  const left = formatNumber(unarchived);
  return [
    `${done} data of periods that ended before ${before}: ${formatNumber(buckets)} balances, ${formatNumber(contents)} scores.`,
    ...(unarchived > 0
      ? [
          `Skipped balances: ${left} (a call is in progress, or the balance is inconsistent: run "ledger verify").`,
        ]
      : []),
    ...(finished ? [] : ['Interrupted. Run the command again to continue.']),
  ];
}
