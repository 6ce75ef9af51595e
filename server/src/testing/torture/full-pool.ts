import { setTimeout as sleep } from 'node:timers/promises';
import { type Experiment, mustHold, percentile } from './experiment.ts';
import { callServer } from './metered-client.ts';
import { makeWorld } from './world.ts';

const POOL = 10;
const WAITING = 30;
const LONGEST_MS = 2_500;
const RECOVERY_MS = 1_000;

/** F7: every database session of a process is stuck behind a lock. */
export const fullPool: Experiment = {
  id: 'F7',
  promise: 'a process whose sessions are all stuck says so in time and recovers by itself',
  unit: 'rounds',
  amount: { suite: 1, long: 10 },
  async run(arena, rounds) {
    const { database, url } = await arena.database();
    const upstream = await arena.upstream();
    const server = await arena.server(url, upstream.url, {
      DATABASE_POOL_SIZE: String(POOL),
      TIMINGS_SCALE: '1',
    });
    const { accounts, listings } = await makeWorld(database, { accounts: 1, listings: 1 });
    const [secret, subject] = [accounts[0]?.key.secret ?? '', listings[0]?.repository ?? ''];
    const call = (idempotencyKey: string) => callServer(server.baseUrl, { secret, subject, idempotencyKey });
    mustHold((await call('before')).status === 200, 'the first call failed');
    const waits: number[] = [];
    let recoveryMs = 0;
    for (let round = 0; round < rounds; round++) {
      const blocker = await database.sequelize.transaction();
      try {
        await database.sequelize.query('LOCK TABLE access_key IN ACCESS EXCLUSIVE MODE', {
          transaction: blocker,
        });
        await Promise.all(
          Array.from({ length: WAITING }, (_, place) =>
            mustBeUnavailable(() => call(`stuck-${round}-${place}`), waits),
          ),
        );
      } finally {
        await blocker.rollback();
      }
      const releasedAt = performance.now();
      while ((await call(`after-${round}`)).status !== 200) await sleep(20);
      recoveryMs = Math.max(recoveryMs, Math.round(performance.now() - releasedAt));
      arena.progress(round + 1);
    }
    const longestMs = percentile(waits, 1);
    mustHold(longestMs <= LONGEST_MS, `a 503 took ${longestMs} ms`);
    mustHold(recoveryMs <= RECOVERY_MS, `the first success came ${recoveryMs} ms after the release`);
    return { refused: waits.length, longestMs, recoveryMs };
  },
};

async function mustBeUnavailable(call: () => ReturnType<typeof callServer>, waits: number[]): Promise<void> {
  const begun = performance.now();
  const { status, body, retryAfter } = await call();
  waits.push(performance.now() - begun);
  mustHold(
    status === 503 && retryAfter !== undefined,
    `with all sessions stuck: ${status} ${body.code} ${retryAfter}`,
  );
}
