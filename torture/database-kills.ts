import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { connect } from '../server/src/platform/database/connect.ts';
import { readPostmaster } from '../server/src/platform/embedded-postgres/server-processes.ts';
import { type Durable, openDurable } from './durable-database.ts';
import { type Experiment, mustBeNone, mustHold } from './experiment.ts';
import type { Fleet } from './fleet.ts';
import type { History } from './history.ts';
import { scoreAfter } from './scoring-upstream.ts';
import { mustBeWhole, openScene, underLoad } from './under-load.ts';

const FIRST_SUCCESS_MS = 3_000;

/** F2: PostgreSQL, with durability on, is killed under load and restarted. */
export const databaseKills: Experiment = {
  id: 'F2',
  promise: 'kill -9 of PostgreSQL loses no receipt, and the servers go on by themselves',
  unit: 'kills',
  amount: { suite: 2, long: 50 },
  async run(arena, kills) {
    const durable = await openDurable(arena);
    const database = connect(durable.url);
    arena.atEnd(() => database.close());
    const reply = scoreAfter(() => arena.random.below(20));
    const parts = { database, url: durable.url, servers: 2, accounts: 8, reply };
    const scene = await openScene(arena, parts);
    const { fleet, history } = scene;
    const outages: Outage[] = [];
    await underLoad(scene, 12, async () => {
      for (let kill = 0; kill < kills; kill++) {
        await sleep(500 + arena.random.below(1_500));
        outages.push(await killAndRevive(durable, fleet, history, arena.limit(FIRST_SUCCESS_MS)));
        arena.progress(kill + 1);
      }
    });
    const { lost, doubled } = await mustBeWhole(scene);
    const slowest = Math.max(...outages.map(({ firstSuccessMs }) => firstSuccessMs));
    mustHold(
      slowest <= arena.limit(FIRST_SUCCESS_MS),
      `the first success came ${slowest} ms after PostgreSQL was back`,
    );
    const restartMs = outages.map(({ restartMs: each }) => each).join(', ');
    return { kills, ...history.counts(), lost, doubled, firstSuccessMs: slowest, restartMs };
  },
};

interface Outage {
  restartMs: number;
  /** Time from the first accepted session to the first receipt. */
  firstSuccessMs: number;
}

async function killAndRevive(
  { url, postgres, folder }: Durable,
  fleet: Fleet,
  history: History,
  readyInMs: number,
): Promise<Outage> {
  const running = readPostmaster(folder);
  mustHold(running !== null, 'PostgreSQL is not running');
  process.kill(running.pid, 'SIGKILL');
  const killedAt = performance.now();
  while (readPostmaster(folder)) await sleep(5);
  await mustBecomeUnready(fleet, readyInMs);
  await postgres.revive();
  while (!(await accepts(url))) await sleep(10);
  const backAt = performance.now();
  const success = () =>
    history.calls.some(({ invokedAt, outcome }) => outcome === 'ok' && invokedAt > backAt);
  while (!success()) {
    await sleep(10);
    mustHold(performance.now() - backAt < 30_000, 'no call succeeds after PostgreSQL is back');
  }
  await Promise.all(fleet.targets().map((target) => mustBeReady(target, readyInMs)));
  return {
    restartMs: Math.round(backAt - killedAt),
    firstSuccessMs: Math.round(firstSuccess(history, backAt)),
  };
}

function firstSuccess(history: History, backAt: number): number {
  const ends = history.calls.filter(({ outcome, endedAt }) => outcome === 'ok' && endedAt > backAt);
  return Math.min(...ends.map(({ endedAt }) => endedAt)) - backAt;
}

async function accepts(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.end();
    return true;
  } catch {
    return false;
  }
}

/**
 * Checks that within `inMs` every server reports that it is live (/livez) but not ready (/readyz), because the database is
 * unreachable.
 */
async function mustBecomeUnready(fleet: Fleet, inMs: number): Promise<void> {
  mustBeNone(fleet.fallen());
  const deadline = performance.now() + inMs;
  for (const target of fleet.targets()) {
    for (;;) {
      const [ready, live] = await Promise.all([fetch(`${target}/readyz`), fetch(`${target}/livez`)]);
      if (ready.status === 503 && live.status === 200) break;
      const isLate = performance.now() >= deadline;
      mustHold(!isLate, `without a database: ready ${ready.status}, live ${live.status}`);
      await sleep(20);
    }
  }
}

async function mustBeReady(target: string, inMs: number): Promise<void> {
  const deadline = performance.now() + inMs;
  for (;;) {
    const { status } = await fetch(`${target}/readyz`);
    if (status === 200) return;
    mustHold(performance.now() < deadline, `${target} is not ready though PostgreSQL is back`);
    await sleep(50);
  }
}
