import type { DatabaseWatch } from '../database/database-watch.ts';
import type { Meter } from './meter.ts';

/** Counts statements that travel for several calls, and holds that were given back. */
export function watchDatabase(meter: Meter): DatabaseWatch {
  return {
    sends(statement, askers) {
      const sentAt = performance.now();
      meter.observe('trust_directory_ledger_statement_calls', { statement }, askers.length);
      return (hasFailed) => {
        const seconds = (performance.now() - sentAt) / 1_000;
        meter.observe('trust_directory_ledger_statement_duration_seconds', { statement }, seconds);
        if (hasFailed) meter.add('trust_directory_ledger_statement_failures_total', { statement });
      };
    },
    reaped: (holds) => meter.add('trust_directory_ledger_reaped_total', {}, holds),
  };
}
