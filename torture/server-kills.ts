import { setTimeout as sleep } from 'node:timers/promises';
import { type Experiment, mustBeNone, mustHold } from './experiment.ts';
import { moody } from './moody-upstream.ts';
import { scoreAfter } from './scoring-upstream.ts';
import { mustBeWhole, openScene, underLoad } from './under-load.ts';
import { watchLedger } from './watch-ledger.ts';

/** Maximum duration of a hold: a lease plus a reaper interval, scaled by 1/20 like these settings, plus one second. */
const LONGEST_HOLD_MS = 65_000 / 20 + 1_000;

/** Maximum number of servers to start; a run with few kills starts fewer. */
const MOST_PLACES = 3;

/** F1: server processes are killed under load at random times and replaced. */
export const serverKills: Experiment = {
  id: 'F1',
  promise: 'kill -9 of a server loses no receipt, doubles no charge and leaves no hold behind',
  unit: 'kills',
  amount: { suite: 10, long: 500 },
  async run(arena, kills) {
    const places = Math.max(2, Math.min(MOST_PLACES, kills));
    const { database, url } = await arena.database();
    const reply = moody(arena.random.fork('upstream'));
    const scene = await openScene(arena, { database, url, servers: places, accounts: 8, reply });
    const { fleet, history, upstream } = scene;
    const watch = watchLedger(database);

    let killed = 0;
    const killAgainAndAgain = async (place: number) => {
      const moments = arena.random.fork(`kills ${place}`);
      while (killed < kills) {
        await sleep(300 + moments.below(1_200));
        // Keeps one process running, since otherwise no reaper releases holds.
        if (fleet.size() < 2 || killed >= kills) continue;
        killed += 1;
        await fleet.end(place, 'SIGKILL');
        await fleet.restart(place);
        arena.progress(killed);
      }
    };
    await underLoad(scene, 12, () =>
      Promise.all(Array.from({ length: places }, (_, place) => killAgainAndAgain(place))),
    );
    upstream.behave(scoreAfter(0));
    const { lost, doubled } = await mustBeWhole(scene);

    const { checks, faults, longestHoldMs } = await watch.stop();
    mustBeNone(faults);
    const longest = arena.limit(LONGEST_HOLD_MS);
    mustHold(longestHoldMs <= longest, `a run was held for ${longestHoldMs} ms, more than ${longest}`);
    const counts = history.counts();
    mustHold(Number(counts.unknown) > 0, 'no call was hit by a kill: nothing was proved');
    return { kills: killed, ...counts, lost, doubled, longestHoldMs, ledgerChecks: checks };
  },
};
