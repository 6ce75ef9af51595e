import { type Command, InvalidArgumentError } from 'commander';
import { reportOnLedger } from './ledger-report.ts';
import { withDatabase } from './with-database.ts';

/** `ledger verify`: checks every invariant; fails on any bad row; may be interrupted and gone on with. */
export function addLedgerCommands(program: Command): void {
  const ledger = program.command('ledger').description('check the ledger');
  ledger
    .command('verify')
    .description('check that balances, runs, entries and scores agree; exits with 1 on any row that does not')
    .option('--from <position>', 'continue an interrupted check from here', readPosition)
    .action(({ from }: { from?: string }) => withDatabase(({ database }) => reportOnLedger(database, from)));
}

function readPosition(text: string): string {
  if (/^(account|subject)\/[\da-f-]{36}$/.test(text)) return text;
  throw new InvalidArgumentError('It is what an interrupted check printed, such as account/ and an id.');
}
