import { type Command, InvalidArgumentError } from 'commander';
import { ProgressReporter } from '../import/progress-reporter.ts';
import { INTERRUPTED, interruption } from './interruption.ts';
import { print, type Tools, withDatabase } from './with-database.ts';

/** `ledger verify`: checks every invariant; fails on any bad row; may be interrupted and gone on with. */
export function addLedgerCommands(program: Command): void {
  const ledger = program.command('ledger').description('check the ledger');
  ledger
    .command('verify')
    .description('check that balances, runs, entries and scores agree; exits with 1 on any row that does not')
    .option('--from <position>', 'go on where an interrupted check said', readPosition)
    .action(({ from }: { from?: string }) => withDatabase((tools) => verify(tools, from)));
}

function readPosition(text: string): string {
  if (/^(account|subject)\/[\da-f-]{36}$/.test(text)) return text;
  throw new InvalidArgumentError('It is what an interrupted check printed, such as account/ and an id.');
}

async function verify({ database }: Tools, from?: string): Promise<void> {
  const { countRows, verifyLedger } = await import('../ledger/verify.ts');
  const progress = new ProgressReporter(process.stderr);
  progress.begin('runs and scores', await countRows(database));
  const report = await verifyLedger(database, {
    ...(from && { from }),
    signal: interruption(),
    onRows: (rows) => progress.advance(rows),
  });
  const { buckets, runs, entries, bad, next } = report;
  print(`${buckets} buckets, ${runs} runs, ${entries} entries, ${bad.length} bad rows`);
  for (const row of bad) print(`${row.problem}: ${row.id}`);
  if (next) print(`Not at the end. Go on with: ledger verify --from ${next}`);
  if (bad.length > 0) process.exitCode = 1;
  else if (next) process.exitCode = INTERRUPTED;
}
