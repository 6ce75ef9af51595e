import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../server/src/database/connect.ts';
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
/** The budget of a call. */
const LONGEST_END_MS = 45_000;

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
    const fleet = await startFleet(arena, 2, url, upstream.url, { TIMINGS_SCALE: '1' });
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
    await mustAllEndWell(database);
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

/** Nobody waits for these runs any more; they go on all the same. */
async function mustAllEndWell(database: Connection): Promise<void> {
  const deadline = Date.now() + LONGEST_END_MS;
  for (;;) {
    const [runs] = await database.query<{ open: number; failed: number }>(
      `SELECT count(*) FILTER (WHERE state = 'reserved')::int AS open, count(*) FILTER (WHERE state = 'failed')::int AS failed
       FROM usage_run`,
    );
    mustHold(runs?.failed === 0, `${runs?.failed} runs failed, though the upstream answered all of them`);
    if (runs.open === 0) return;
    mustHold(Date.now() < deadline, `${runs.open} runs do not end`);
    await sleep(100);
  }
}
