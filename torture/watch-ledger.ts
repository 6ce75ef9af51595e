import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../server/src/platform/database/connect.ts';
import { findFaults } from './soundness.ts';

export interface LedgerWatch {
  /** Stops the checks; resolves with the results. */
  stop(): Promise<{ checks: number; faults: string[]; longestHoldMs: number }>;
}

const PERIOD_MS = 1_000;

// Longest time for which a run that is still open has held its amount. ENDED reads that of ended runs, once at the end.
const OPEN = `SELECT coalesce(max(extract(epoch FROM ledger_now() - created_at)) * 1000, 0)::float8 AS held_ms
  FROM usage_run WHERE state = 'reserved'`;
const ENDED = `SELECT coalesce(max(extract(epoch FROM ended_at - created_at)) * 1000, 0)::float8 AS held_ms
  FROM usage_run WHERE state <> 'reserved'`;

/** Checks the ledger every second during calls. An unreachable database is not a violation. */
export function watchLedger(connection: Connection): LedgerWatch {
  const faults: string[] = [];
  let checks = 0;
  let longestHoldMs = 0;
  let over = false;
  const stopped = new AbortController();
  const look = async (sql: string) => {
    const [row] = await connection.query<{ held_ms: number }>(sql);
    longestHoldMs = Math.max(longestHoldMs, row?.held_ms ?? 0);
  };
  const watching = (async () => {
    while (!over) {
      await sleep(PERIOD_MS, undefined, { signal: stopped.signal }).catch(() => undefined);
      try {
        faults.push(...(await findFaults(connection)));
        await look(OPEN);
        checks += 1;
      } catch {
        // The database is unreachable. The next check, or the final one, finds any violation.
      }
    }
  })();
  return {
    async stop() {
      over = true;
      stopped.abort();
      await watching;
      await look(ENDED);
      return { checks, faults, longestHoldMs: Math.round(longestHoldMs) };
    },
  };
}
