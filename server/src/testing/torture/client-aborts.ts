import { setTimeout as sleep } from 'node:timers/promises';
import { checkHistory } from './check-history.ts';
import { type Experiment, mustBeNone, mustHold } from './experiment.ts';
import { startFleet } from './fleet.ts';
import { createHistory } from './history.ts';
import { resolveUnknown, runLoad } from './load.ts';
import { scoreAfter } from './scoring-upstream.ts';
import { makeWorld } from './world.ts';

const CALLERS = 16;
const UPSTREAM_MS = 25;
const LAST_ABORT_MS = 90;

/** F8: clients hang up at random moments of their calls. */
export const clientAborts: Experiment = {
  id: 'F8',
  promise: 'a client that hangs up changes nothing: the run ends, and the retry finds it',
  unit: 'aborted calls',
  amount: { suite: 200, long: 5_000 },
  async run(arena, aborts) {
    const { database, url } = await arena.database();
    const upstream = await arena.upstream();
    upstream.behave(scoreAfter(UPSTREAM_MS));
    const fleet = await startFleet(arena, 2, url, upstream.url, { TIMINGS_SCALE: '0.2' });
    const world = await makeWorld(database, { accounts: 4, listings: 4 });
    const history = createHistory();
    const load = { world, history, random: arena.random.fork('load'), targets: fleet.targets };
    const aborted = () => history.calls.filter(({ status }) => status === 0).length;
    const moments = arena.random.fork('moments');
    await runLoad({
      ...load,
      callers: CALLERS,
      enough: () => aborted() >= aborts,
      signal: () => AbortSignal.timeout(1 + moments.below(LAST_ABORT_MS)),
    });
    await sleep(1_000);

    const [open] = await database.query<{ runs: number }>(
      "SELECT count(*)::int AS runs FROM usage_run WHERE state <> 'settled'",
    );
    mustHold(
      open?.runs === 0,
      `${open?.runs} runs did not end well, though the upstream answered all of them`,
    );
    const asked = upstream.calls.size;
    const begun = history.calls.length;
    mustBeNone(await resolveUnknown(load));
    const replays = history.calls.slice(begun).filter(({ body }) => body.idempotent).length;
    const { wrong, lost, doubled } = await checkHistory(database, history.calls, upstream.calls);
    mustBeNone(wrong);
    mustHold(replays > 0, 'no aborted call had been charged: nothing was proved');
    return {
      ...history.counts(),
      aborted: aborted(),
      foundByRetry: replays,
      askedByRetry: upstream.calls.size - asked,
      lost,
      doubled,
    };
  },
};
