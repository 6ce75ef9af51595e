import { setTimeout as sleep } from 'node:timers/promises';
import { type Connection, connect } from '../server/src/platform/database/connect.ts';
import { checkHistory } from './check-history.ts';
import { type Experiment, mustBeNone, mustHold } from './experiment.ts';
import { callServer } from './metered-client.ts';
import { moody } from './moody-upstream.ts';
import { openScene } from './under-load.ts';
import { watchLedger } from './watch-ledger.ts';

const CALLERS = 32;
const KEYS_AT_A_TIME = 4;
const LONGEST_STATEMENT_MS = 1_000;

/** C6: clients retry the same few keys of one account without pause. */
export const deadlockStorm: Experiment = {
  id: 'C6',
  promise: 'a storm of retries on one account makes no deadlock and no statement of a second',
  unit: 'calls',
  amount: { suite: 6_000, long: 120_000 },
  async run(arena, calls) {
    const { database, url } = await arena.database();
    const reply = moody(arena.random.fork('upstream'));
    const parts = { database, url, servers: 2, accounts: 1, listings: 3, reply };
    const { upstream, fleet, history, world } = await openScene(arena, parts);
    const { accounts, listings } = world;
    const { accountId, key } = accounts[0] as (typeof accounts)[0];
    const watch = watchLedger(database);
    const watcher = connect(url, { applicationName: 'watcher', poolSize: 1 });
    arena.atEnd(() => watcher.close());
    const goesOn = () => history.calls.length < calls;
    const caller = async (place: number) => {
      for (let call = 0; goesOn(); call++) {
        // All callers use the same few keys, and move on to the next keys after every 200 calls in total.
        const number =
          Math.floor(history.calls.length / 200) * KEYS_AT_A_TIME + ((place + call) % KEYS_AT_A_TIME);
        const subject = listings[number % listings.length]?.repository ?? '';
        const idempotencyKey = `storm-${number}`;
        const target = fleet.targets()[call % 2] as string;
        await history.record({ accountId, idempotencyKey, subject }, () =>
          callServer(target, { secret: key.secret, idempotencyKey, subject }),
        );
        arena.progress(history.calls.length);
      }
    };
    const [longestStatementMs] = await Promise.all([
      longestStatement(watcher, goesOn),
      ...Array.from({ length: CALLERS }, (_, place) => caller(place)),
    ]);

    mustHold(
      longestStatementMs <= arena.limit(LONGEST_STATEMENT_MS),
      `a statement ran for ${longestStatementMs} ms`,
    );
    mustHold((await deadlocks(watcher)) === 0, 'there were deadlocks');
    const { checks, faults } = await watch.stop();
    mustBeNone(faults);
    const { wrong, lost, doubled } = await checkHistory(database, history.calls, upstream.calls);
    mustBeNone(wrong);
    return { ...history.counts(), deadlocks: 0, longestStatementMs, lost, doubled, ledgerChecks: checks };
  },
};

async function deadlocks(connection: Connection): Promise<number> {
  // Sessions report statistics when they become idle.
  await sleep(1_100);
  const [row] = await connection.query<{ deadlocks: number }>(
    'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
  );
  return row?.deadlocks ?? -1;
}

async function longestStatement(connection: Connection, goOn: () => boolean): Promise<number> {
  let longest = 0;
  while (goOn()) {
    const [row] = await connection.query<{ ms: number }>(
      `SELECT coalesce(max(extract(epoch FROM clock_timestamp() - query_start)) * 1000, 0)::int AS ms FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'active' AND application_name = 'trust-directory'
         AND query NOT LIKE '%bucket differs from the sum%'`,
    );
    longest = Math.max(longest, row?.ms ?? 0);
    await sleep(50);
  }
  return longest;
}
