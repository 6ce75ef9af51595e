import { type Command, InvalidArgumentError } from 'commander';
import { grouped, ProgressReporter } from '../import/progress-reporter.ts';
import type { ArchiveReport } from '../ledger/archive.ts';
import { INTERRUPTED, interruption } from './interruption.ts';
import { print, type Tools, withDatabase } from './with-database.ts';

interface Options {
  closedFor: number;
  dryRun?: boolean;
}

/** `archive`: rolls up what closed periods have left behind; may be interrupted, killed and started again. */
export function addArchiveCommand(program: Command): void {
  program
    .command('archive')
    .description('roll up the entries and score inputs of closed periods')
    .option('--closed-for <days>', 'how long a period must have been over', readDays, 90)
    .option('--dry-run', 'print what would be done, and change nothing')
    .action((options: Options) =>
      withDatabase(async (tools) => {
        const { withFreeAdvisoryLock } = await import('../database/advisory-lock.ts');
        const run = () => runArchive(tools, options);
        await withFreeAdvisoryLock(tools.databaseUrl, ARCHIVE_LOCK, run, anotherRuns);
      }),
    );
}

/** Any fixed number: two at once would do the same work. */
const ARCHIVE_LOCK = 7_310_121;
/** Leases, and clocks that differ, are far below it. */
const FEWEST_DAYS = 2;
const MOST_DAYS = 36_500;

function readDays(text: string): number {
  const days = Number(text);
  if (/^\d+$/.test(text) && days >= FEWEST_DAYS && days <= MOST_DAYS) return days;
  throw new InvalidArgumentError(`It is a number of days from ${FEWEST_DAYS} to ${MOST_DAYS}.`);
}

function anotherRuns(): Error {
  return new Error(
    'Another archive is running on this database, so this one did nothing. Start it again when that one has ended.',
  );
}

async function runArchive({ database }: Tools, { closedFor, dryRun = false }: Options): Promise<void> {
  const { archive, countRows } = await import('../ledger/archive.ts');
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
  { before, buckets, left: unarchived, contents, finished }: ArchiveReport,
  dryRun: boolean,
): string[] {
  const done = dryRun ? 'It would roll up' : 'Rolled up';
  const left = grouped(unarchived);
  return [
    `${done} what was over before ${before}: balances ${grouped(buckets)}, scores ${grouped(contents)}.`,
    ...(unarchived > 0
      ? [
          `Balances left as they are: ${left} (a call is under way, or "ledger verify" names what does not agree).`,
        ]
      : []),
    ...(finished ? [] : ['Not at the end. Start it again: it goes on with what is left.']),
  ];
}
