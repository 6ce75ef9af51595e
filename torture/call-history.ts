import type { Connection } from '../server/src/platform/database/connect.ts';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { type Experiment, mustBeNone, mustHold } from './experiment.ts';
import { runLoad } from './load.ts';
import { moody } from './moody-upstream.ts';
import type { Random } from './random.ts';
import { scoreAfter } from './scoring-upstream.ts';
import { mustBeWhole, openScene } from './under-load.ts';
import { watchLedger } from './watch-ledger.ts';
import type { World } from './world.ts';

const CALLERS = 24;
const ACCOUNTS = 12;
const READS_PER_CALL = 0.2;

/**
 * C7: clients make random calls over two processes and log every answer. The logs are then compared with the ledger, as an
 * auditor compares receipts with a bank's books.
 */
export const callHistory: Experiment = {
  id: 'C7',
  promise: 'what clients were told is what is stored: each receipt once, nothing lost, in real-time order',
  unit: 'calls',
  amount: { suite: fewerUnlessNightly(1_500, 5_000), long: 50_000 },
  async run(arena, calls) {
    const { database, url } = await arena.database();
    const reply = moody(arena.random.fork('upstream'));
    const parts = { database, url, servers: 2, accounts: ACCOUNTS, listings: 6, reply };
    const scene = await openScene(arena, parts);
    const { history, upstream, world, load } = scene;
    const watch = watchLedger(database);
    const enough = () => {
      arena.progress(history.calls.length);
      return history.calls.length >= calls;
    };

    const [, reads] = await Promise.all([
      runLoad({ ...load, callers: CALLERS, enough }),
      readTotals(database, world, arena.random.fork('reads'), () => history.calls.length, calls),
    ]);
    upstream.behave(scoreAfter(0));
    const { lost, doubled } = await mustBeWhole(scene);

    const { checks, faults, longestHoldMs } = await watch.stop();
    mustBeNone(faults);
    return { ...history.counts(), lost, doubled, totalsRead: reads, ledgerChecks: checks, longestHoldMs };
  },
};

// Reads three tables in one snapshot. What is neither used nor held, plus the open holds, plus the charges, must equal
// the grants.
const TOTAL = `
SELECT (SELECT coalesce(sum(d_total), 0) FROM ledger_entry WHERE account_id = $1)::bigint AS granted,
  (SELECT coalesce(sum(total - used - held), 0) FROM credit_bucket WHERE account_id = $1)::bigint
  + (SELECT coalesce(sum(amount), 0) FROM usage_run WHERE account_id = $1 AND state = 'reserved')::bigint
  + (SELECT coalesce(sum(d_used), 0) FROM ledger_entry WHERE account_id = $1)::bigint AS found`;

/** Checks the sums of random accounts while clients make calls: once for every five calls. Returns how often. */
async function readTotals(
  database: Connection,
  world: World,
  random: Random,
  made: () => number,
  calls: number,
): Promise<number> {
  let reads = 0;
  while (made() < calls) {
    if (reads > made() * READS_PER_CALL) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      continue;
    }
    const { accountId } = random.pick(world.accounts);
    const [row] = await database.query<{ granted: number; found: number }>(TOTAL, [accountId]);
    mustHold(row?.granted === row?.found, `${accountId}: ${row?.granted} granted, but ${row?.found} found`);
    reads += 1;
  }
  return reads;
}
