import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../server/src/platform/database/connect.ts';
import { openDatabaseProxy } from '../server/testing/database-proxy.ts';
import { type Experiment, mustHold, percentile } from './experiment.ts';
import { type Answer, callServer } from './metered-client.ts';
import { makeWorld } from './world.ts';

const POOL = 10;
const WAITING = 20;
/** Maximum time in which a call must be refused, whether it waits for a session, for a lock, or for both in sequence. */
const LONGEST_WAIT_MS = 2_500;
/** Maximum p99 of public reads while calls are blocked; on a slow machine, SLOWER_AT_MOST times the p99 before. */
const SLOWEST_READ_MS = 250;
const SLOWER_AT_MOST = 5;
const READS_BEFORE = 50;
const LONGEST_HANG_MS = 5_000;
const RECOVERY_MS = 1_000;

interface Scene {
  database: Database;
  call(idempotencyKey: string): Promise<Answer>;
  /** Reads a page of the directory. */
  read(): Promise<number>;
  /** Makes the connection to the database silent (no data passes, no error), or restores it. */
  hush(silent: boolean): void;
  /** Maximum time that a call on a silent connection may hang. */
  longestHangMs: number;
}

/** F7: every database session of a process hangs, on a silent connection or behind a lock. */
export const fullPool: Experiment = {
  id: 'F7',
  promise: 'a process whose sessions are all stuck says so in time and recovers by itself',
  unit: 'rounds',
  amount: { suite: 1, long: 10 },
  async run(arena, rounds) {
    const { database, url } = await arena.database();
    const line = await openDatabaseProxy(url);
    arena.atEnd(() => line.close());
    const upstream = await arena.upstream();
    const env = { DATABASE_POOL_SIZE: String(POOL), TIMINGS_SCALE: '1' };
    const server = await arena.server(line.url, upstream.url, env);
    const { accounts, listings } = await makeWorld(database, { accounts: 1, listings: 1 });
    const [secret, subject] = [accounts[0]?.key.secret ?? '', listings[0]?.repository ?? ''];
    const call = (idempotencyKey: string) => callServer(server.baseUrl, { secret, subject, idempotencyKey });
    const read = async () => (await fetch(`${server.baseUrl}/api/agents?limit=20`)).status;
    const scene = { database, call, read, hush: line.hush, longestHangMs: arena.limit(LONGEST_HANG_MS) };
    mustHold((await call('before')).status === 200, 'the first call failed');
    const silent = { waitedMs: 0, recoveryMs: 0 };
    const locked = { waitedMs: 0, recoveryMs: 0 };
    const before: number[] = [];
    await readWhile(read, () => before.length < READS_BEFORE, before);
    const reads: number[] = [];
    for (let round = 0; round < rounds; round++) {
      keepWorst(silent, await behindSilence(scene, `silent-${round}`));
      for (const [name, lock] of Object.entries(LOCKS))
        keepWorst(locked, await behindLock(scene, lock, `${name}-${round}`, reads));
      arena.progress(round + 1);
    }
    mustHold(
      silent.waitedMs <= arena.limit(LONGEST_WAIT_MS),
      `a 503 for want of a session took ${silent.waitedMs} ms`,
    );
    mustHold(
      locked.waitedMs <= arena.limit(LONGEST_WAIT_MS),
      `a 503 behind a lock took ${locked.waitedMs} ms`,
    );
    const readP99Ms = percentile(reads, 0.99);
    const slowest = Math.max(arena.limit(SLOWEST_READ_MS), SLOWER_AT_MOST * percentile(before, 0.99));
    mustHold(readP99Ms <= slowest, `meanwhile the directory took ${readP99Ms} ms (p99)`);
    const recoveryMs = Math.max(silent.recoveryMs, locked.recoveryMs);
    mustHold(
      recoveryMs <= arena.limit(RECOVERY_MS),
      `the first success came ${recoveryMs} ms after the release`,
    );
    return {
      rounds,
      waitedMs: silent.waitedMs,
      waitedBehindLockMs: locked.waitedMs,
      recoveryMs,
      reads: reads.length,
      readP99Ms,
    };
  },
};

/** Locks that block a metered call: `ledger` when it reads the balance, `bucket` when it reserves its amount. */
const LOCKS = {
  ledger: 'LOCK TABLE credit_bucket, usage_run, ledger_entry IN ACCESS EXCLUSIVE MODE',
  bucket: 'SELECT 1 FROM credit_bucket FOR UPDATE',
};

interface Times {
  waitedMs: number;
  recoveryMs: number;
}

function keepWorst(worst: Times, each: Times): void {
  worst.waitedMs = Math.max(worst.waitedMs, each.waitedMs);
  worst.recoveryMs = Math.max(worst.recoveryMs, each.recoveryMs);
}

/** Blocks all sessions on a silent connection; expects that further calls are refused in time for lack of a session. */
async function behindSilence({ call, hush, longestHangMs }: Scene, name: string): Promise<Times> {
  // Opens all sessions first, so that all can hang.
  await many(POOL, (place) => call(`${name}-open-${place}`));
  hush(true);
  const stuck = many(POOL, (place) => timed(() => call(`${name}-stuck-${place}`)));
  await sleep(50);
  const waiting = await many(WAITING, (place) => timed(() => call(`${name}-waiting-${place}`)));
  hush(false);
  const recoveryMs = await recovery(() => call(`${name}-after`));
  for (const { answer, ms } of await stuck)
    mustHold(
      (answer.status === 200 || answer.status === 503) && ms <= longestHangMs,
      `stuck: ${answer.status} in ${ms} ms`,
    );
  return { waitedMs: longestRefusal(waiting), recoveryMs };
}

/** Blocks all sessions for metered calls by a lock, and measures reads of the directory meanwhile. */
async function behindLock(
  { database, call, read }: Scene,
  lock: string,
  name: string,
  reads: number[],
): Promise<Times> {
  const blocker = await database.sequelize.transaction();
  let waitedMs = 0;
  try {
    await database.sequelize.query(lock, { transaction: blocker });
    const calls = many(POOL + WAITING, (place) => timed(() => call(`${name}-${place}`)));
    let over = false;
    const reading = readWhile(read, () => !over, reads);
    waitedMs = longestRefusal(await calls.finally(() => (over = true)));
    await reading;
  } finally {
    await blocker.rollback();
  }
  return { waitedMs, recoveryMs: await recovery(() => call(`${name}-after`)) };
}

async function readWhile(read: Scene['read'], goesOn: () => boolean, times: number[]): Promise<void> {
  while (goesOn()) {
    const begun = performance.now();
    const status = await read();
    times.push(performance.now() - begun);
    mustHold(status === 200, `the directory answered ${status}`);
  }
}

function many<Result>(times: number, work: (place: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: times }, (_, place) => work(place)));
}

async function timed(call: () => Promise<Answer>): Promise<{ answer: Answer; ms: number }> {
  const begun = performance.now();
  const answer = await call();
  return { answer, ms: Math.round(performance.now() - begun) };
}

function longestRefusal(calls: readonly { answer: Answer; ms: number }[]): number {
  for (const { answer } of calls) {
    const { status, body, retryAfter } = answer;
    mustHold(
      status === 503 && retryAfter !== undefined,
      `with all sessions stuck: ${status} ${body.code} ${retryAfter}`,
    );
  }
  return percentile(
    calls.map(({ ms }) => ms),
    1,
  );
}

async function recovery(call: () => Promise<Answer>): Promise<number> {
  const releasedAt = performance.now();
  while ((await call()).status !== 200) await sleep(20);
  return Math.round(performance.now() - releasedAt);
}
