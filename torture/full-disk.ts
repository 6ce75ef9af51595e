import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../server/src/database/connect.ts';
import { checkHistory } from './check-history.ts';
import { type Experiment, mustBeNone, mustHold } from './experiment.ts';
import { startFleet } from './fleet.ts';
import { createHistory, type History } from './history.ts';
import { resolveUnknown, runLoad, untilNoneIsOpen } from './load.ts';
import { scoreAfter } from './scoring-upstream.ts';
import { openOnSmallDisk, type SmallDisk, withoutSmallDisk } from './small-disk.ts';
import { findFaults } from './soundness.ts';
import { makeWorld } from './world.ts';

/** So many refused calls show that the disk is full, and so many receipts that it no longer is. */
const REFUSED = 50;
const RECEIPTS_AFTER = 50;
const RECOVERY_MS = 30_000;
const POLL_MS = 50;

/** F12: the disk under PostgreSQL's tables is full, and has space again. */
export const fullDisk: Experiment = {
  id: 'F12',
  promise:
    'a full disk is a 503 for what would be written; nothing acknowledged is lost, and all goes on by itself',
  unit: 'full disks',
  amount: { suite: 1, long: 5 },
  missing: withoutSmallDisk,
  async run(arena, times) {
    const disk = await openOnSmallDisk(arena);
    const database = connect(disk.url);
    arena.atEnd(() => database.close());
    const upstream = await arena.upstream();
    upstream.behave(scoreAfter(2));
    const fleet = await startFleet(arena, 1, disk.url, upstream.url);
    const world = await makeWorld(database, { accounts: 4, listings: 4 });
    const history = createHistory();
    const load = { world, history, random: arena.random.fork('load'), targets: fleet.targets };
    let over = false;
    const underLoad = runLoad({ ...load, callers: 12, enough: () => over });
    const reads: number[] = [];
    let slowestRecoveryMs = 0;
    try {
      await untilMore(history, RECEIPTS_AFTER, arena.limit(RECOVERY_MS));
      for (let time = 0; time < times; time++) {
        await fillOnce(disk, history, arena.limit(RECOVERY_MS), async () => {
          for (const target of fleet.targets()) reads.push((await fetch(`${target}/api/agents`)).status);
        });
        const begun = performance.now();
        await disk.empty();
        await untilMore(history, RECEIPTS_AFTER, arena.limit(RECOVERY_MS));
        slowestRecoveryMs = Math.max(slowestRecoveryMs, Math.round(performance.now() - begun));
        arena.progress(time + 1);
      }
    } finally {
      over = true;
      await underLoad;
    }
    mustBeNone(await resolveUnknown(load));
    await untilNoneIsOpen(database);
    mustBeNone(fleet.fallen());
    mustBeNone(await findFaults(database));
    const { wrong, lost, doubled } = await checkHistory(database, history.calls, upstream.calls);
    mustBeNone(wrong);
    const refused = mustSayWhen(history);
    mustHold(
      reads.every((status) => status === 200),
      `reads meanwhile were ${reads}`,
    );
    return { ...history.counts(), lost, doubled, refused, reads: reads.length, slowestRecoveryMs };
  },
};

/** Every 503 says when to come back; answers how many there were. */
function mustSayWhen(history: History): number {
  const refusals = history.calls.filter(({ status }) => status === 503);
  const silent = refusals.filter(({ retryAfter }) => retryAfter === undefined);
  mustHold(silent.length === 0, `${silent.length} answers with 503 have no Retry-After`);
  return refusals.length;
}

/** Fills the disk until calls are refused one after the other, and reads meanwhile. */
async function fillOnce(
  disk: SmallDisk,
  history: History,
  limitMs: number,
  read: () => Promise<void>,
): Promise<void> {
  const deadline = performance.now() + limitMs;
  const from = history.calls.length;
  const refused = () => history.calls.slice(from).filter(({ status }) => status === 503).length;
  while (refused() < REFUSED) {
    disk.fill();
    await read();
    await sleep(POLL_MS);
    mustHold(performance.now() < deadline, `only ${refused()} calls were refused on a full disk`);
  }
}

/** Waits for so many more receipts. */
async function untilMore(history: History, more: number, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  const count = () => history.calls.filter((call) => call.outcome === 'ok').length;
  const enough = count() + more;
  while (count() < enough) {
    await sleep(POLL_MS);
    mustHold(performance.now() < deadline, `${enough - count()} receipts are missing after ${limitMs} ms`);
  }
}
