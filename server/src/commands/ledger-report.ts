import type { Database } from '../database/connect.ts';
import { ProgressReporter } from '../import/progress-reporter.ts';
import { INTERRUPTED, interruption } from './interruption.ts';
import { print } from './with-database.ts';

/** Checks every invariant of the ledger, from a position or its beginning; prints what was looked at and each bad row, of which any makes the command fail. */
export async function reportOnLedger(database: Database, from?: string): Promise<void> {
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
