import type { Command } from 'commander';
import { print, withDatabase } from './with-database.ts';

/** `ledger verify`: checks every invariant in one snapshot; fails on any bad row. */
export function addLedgerCommands(program: Command): void {
  const ledger = program.command('ledger').description('check the ledger');
  ledger
    .command('verify')
    .description('check that balances, runs and entries agree; exits with 1 on any row that does not')
    .action(() =>
      withDatabase(async ({ database }) => {
        const { verifyLedger } = await import('../ledger/verify.ts');
        const report = await verifyLedger(database);
        print(
          `${report.buckets} buckets, ${report.runs} runs, ${report.entries} entries, ${report.bad.length} bad rows`,
        );
        for (const row of report.bad) print(`${row.problem}: ${row.id}`);
        if (report.bad.length > 0) process.exitCode = 1;
      }),
    );
}
