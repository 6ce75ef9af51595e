import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../server/src/platform/database/connect.ts';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { type Experiment, mustHold } from './experiment.ts';
import { runLoad } from './load.ts';
import { scoreAfter } from './scoring-upstream.ts';
import { mustBeWhole, openScene } from './under-load.ts';

const CALLERS = 16;
const UPSTREAM_MS = 25;
const LAST_ABORT_MS = 90;
/** Maximum time until every run has ended after its client disconnected: the maximum duration of a call. */
const LONGEST_END_MS = 45_000;

/** F8: clients disconnect at random times during their calls. */
export const clientAborts: Experiment = {
  id: 'F8',
  promise: 'a client that hangs up changes nothing: the run ends, and the retry finds it',
  unit: 'aborted calls',
  amount: { suite: fewerUnlessNightly(80, 200), long: 5_000 },
  async run(arena, aborts) {
    const { database, url } = await arena.database();
    const [reply, env] = [scoreAfter(UPSTREAM_MS), { TIMINGS_SCALE: '1' }];
    const scene = await openScene(arena, { database, url, servers: 2, accounts: 4, reply, env });
    const { history, upstream, load } = scene;
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
    const { lost, doubled } = await mustBeWhole(scene);
    const replays = history.calls.slice(begun).filter(({ body }) => body.idempotent).length;
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

/** Expects that all runs complete although their clients are gone. */
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
