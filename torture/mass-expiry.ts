import { setTimeout as sleep } from 'node:timers/promises';
import { reapDue } from '../server/src/billing/ledger/reap.ts';
import { connect } from '../server/src/platform/database/connect.ts';
import { type Experiment, mustHold, percentile } from './experiment.ts';
import { hold } from './terminal-race.ts';
import { makeWorld } from './world.ts';

const HOLDERS = 12;
const LEASE_MS = 1;
const MOST_REAP_MS = 2_000;
const MOST_RESERVE_MS = 500;
const RESERVERS = 4;

/** F11: many holds of one account expire at once; two reapers release them while new calls keep reserving. */
export const massExpiry: Experiment = {
  id: 'F11',
  promise: 'ten thousand expired holds are given back in two seconds, and new calls hardly notice',
  unit: 'expired holds',
  amount: { suite: 1_000, long: 10_000 },
  async run(arena, holds) {
    const { database, url } = await arena.database();
    const pools = [connect(url), connect(url), connect(url)] as const;
    for (const pool of pools) arena.atEnd(() => pool.close());
    const { accounts, listings } = await makeWorld(database, { accounts: 1, listings: 1 });
    const [account, subjectId] = [accounts[0] as (typeof accounts)[0], listings[0]?.subjectId ?? ''];
    let made = 0;
    const holder = async () => {
      for (let number = made++; number < holds; number = made++) {
        await hold(database, account, subjectId, LEASE_MS);
        arena.progress(number);
      }
    };
    await Promise.all(Array.from({ length: HOLDERS }, holder));
    await sleep(50);

    const times: number[] = [];
    let over = false;
    const reserver = async () => {
      while (!over) {
        const begun = performance.now();
        await hold(pools[2], account, subjectId, 60_000);
        times.push(performance.now() - begun);
      }
    };
    const reserving = Promise.all(Array.from({ length: RESERVERS }, reserver));
    const begun = performance.now();
    const reaped = await Promise.all([reapDue(pools[0]), reapDue(pools[1])]);
    const reapMs = Math.round(performance.now() - begun);
    over = true;
    await reserving;

    const total = reaped[0] + reaped[1];
    mustHold(total === holds, `${holds} holds were due, the reapers took ${reaped}`);
    const [open] = await database.query<{ runs: number }>(
      "SELECT count(*)::int AS runs FROM usage_run WHERE state = 'reserved' AND lease_until <= ledger_now()",
    );
    mustHold(open?.runs === 0, `${open?.runs} expired holds were left`);
    const reserveP99Ms = percentile(times, 0.99);
    mustHold(reapMs <= arena.limit(MOST_REAP_MS), `giving ${holds} holds back took ${reapMs} ms`);
    mustHold(
      reserveP99Ms <= arena.limit(MOST_RESERVE_MS),
      `meanwhile a reserve took ${reserveP99Ms} ms (p99)`,
    );
    return { expired: holds, byEach: reaped.join(' + '), reapMs, reserves: times.length, reserveP99Ms };
  },
};
