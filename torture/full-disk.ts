import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from '../server/src/platform/database/connect.ts';
import { type Experiment, mustHold } from './experiment.ts';
import type { History } from './history.ts';
import { scoreAfter } from './scoring-upstream.ts';
import { openOnSmallDisk, type SmallDisk, withoutSmallDisk } from './small-disk.ts';
import { mustBeWhole, mustSayWhen, openScene, underLoad, untilMoreReceipts } from './under-load.ts';

/** Number of refused calls after which the disk counts as full, and of receipts after which it counts as usable again. */
const REFUSED = 50;
const RECEIPTS_AFTER = 50;
const RECOVERY_MS = 30_000;
const POLL_MS = 50;

/** F12: the disk of PostgreSQL's tables becomes full, and has space again. */
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
    const parts = { database, url: disk.url, servers: 1, accounts: 4, reply: scoreAfter(2) };
    const scene = await openScene(arena, parts);
    const { fleet, history } = scene;
    const reads: number[] = [];
    let slowestRecoveryMs = 0;
    await underLoad(scene, 12, async () => {
      await untilMoreReceipts(history, RECEIPTS_AFTER, arena.limit(RECOVERY_MS));
      for (let time = 0; time < times; time++) {
        await fillOnce(disk, history, arena.limit(RECOVERY_MS), async () => {
          for (const target of fleet.targets()) reads.push((await fetch(`${target}/api/agents`)).status);
        });
        const begun = performance.now();
        await disk.empty();
        await untilMoreReceipts(history, RECEIPTS_AFTER, arena.limit(RECOVERY_MS));
        slowestRecoveryMs = Math.max(slowestRecoveryMs, Math.round(performance.now() - begun));
        arena.progress(time + 1);
      }
    });
    const { lost, doubled } = await mustBeWhole(scene);
    const refused = mustSayWhen(history);
    mustHold(
      reads.every((status) => status === 200),
      `reads meanwhile were ${reads}`,
    );
    return { ...history.counts(), lost, doubled, refused, reads: reads.length, slowestRecoveryMs };
  },
};

/** Fills the disk, and reads from the directory, until REFUSED calls were refused. */
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
