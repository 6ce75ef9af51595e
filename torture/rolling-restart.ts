import { setTimeout as sleep } from 'node:timers/promises';
import { type Experiment, mustBeNone, mustHold } from './experiment.ts';
import { scoreAfter } from './scoring-upstream.ts';
import { mustBeWhole, openScene, underLoad } from './under-load.ts';

const LONGEST_STOP_MS = 55_000;

/** F9: processes are stopped under load, one after the other, and replaced. */
export const rollingRestart: Experiment = {
  id: 'F9',
  promise: 'a server that is told to stop ends in time and answers every call that it took',
  unit: 'restarts',
  amount: { suite: 2, long: 50 },
  async run(arena, restarts) {
    const { database, url } = await arena.database();
    const reply = scoreAfter(() => arena.random.below(400));
    const env = { TIMINGS_SCALE: '0.2' };
    const scene = await openScene(arena, { database, url, servers: 2, accounts: 8, reply, env });
    const { fleet, history } = scene;

    let longestStopMs = 0;
    await underLoad(scene, 16, async () => {
      for (let restart = 0; restart < restarts; restart++) {
        await sleep(300 + arena.random.below(500));
        const place = restart % 2;
        const toldAt = performance.now();
        const ended = await fleet.end(place, 'SIGTERM');
        longestStopMs = Math.max(longestStopMs, Math.round(performance.now() - toldAt));
        mustHold(ended.code === 0, `a server ended with ${ended.code ?? ended.signal} instead of 0`);
        await fleet.restart(place);
        arena.progress(restart + 1);
      }
    });
    const failures = history.calls.filter(({ status }) => status >= 500);
    mustBeNone(failures.map(({ status, body }) => `${status} ${body.code} for a call that was taken`));
    mustHold(longestStopMs <= LONGEST_STOP_MS, `a stop took ${longestStopMs} ms`);
    // A stopping server answers every call that it accepted, so every run must be settled without a retry or the reaper.
    const [open] = await database.query<{ runs: number }>(
      "SELECT count(*)::int AS runs FROM usage_run WHERE state <> 'settled'",
    );
    mustHold(open?.runs === 0, `${open?.runs} runs were left behind`);
    const { lost, doubled } = await mustBeWhole(scene);
    return { restarts, ...history.counts(), longestStopMs, lost, doubled };
  },
};
