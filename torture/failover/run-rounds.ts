import { setTimeout as sleep } from 'node:timers/promises';
import type { Arena } from '../arena.ts';
import { mustHold } from '../experiment.ts';
import { FeedReader } from '../feed-reader.ts';
import { scoreAfter } from '../scoring-upstream.ts';
import { judge, openScene, type Scene, underLoad } from '../under-load.ts';
import type { Fault } from './faults.ts';
import { firstReceiptAfter, longestGapMs, untold } from './outage.ts';
import { patientServers } from './patiently.ts';
import type { Stage } from './stage.ts';

/** Outcome of one fault under load. */
export interface Round {
  readonly fault: string;
  readonly calls: number;
  /** First receipts and replays. */
  readonly acknowledged: number;
  readonly lost: number;
  readonly doubled: number;
  /** The longest time in which no client got a first receipt, in milliseconds. */
  readonly outageMs: number;
  /** Milliseconds from the fault to the first receipt after the cluster had reacted to it. */
  readonly backMs: number;
  /** Calls with unknown outcomes, and sessions to nodes other than the leader, more than CLEAN_MS after calls succeed again. */
  readonly unclean: readonly string[];
  /** Changes that a reader of the change feed got. */
  readonly changes: number;
  /** Number of times that the reader had to start again, because the feed no longer had its position. */
  readonly restarts: number;
  /** Problems of the ledger, of the history compared with it, or of what the reader of the feed got. */
  readonly wrong: readonly string[];
}

const CALLERS = 12;
const SERVERS = 2;
/** Leases of 12 s, so that holds left open by a fault expire within the round. */
const TIMINGS_SCALE = '0.2';
/** Time after the first receipt within which every session must be connected to the new leader. */
const CLEAN_MS = 5_000;
const OBSERVED_MS = 5_000;
const PATIENCE_MS = 120_000;
const RECEIPTS_BEFORE = 50;

interface Play {
  readonly stage: Stage;
  readonly scene: Scene;
  readonly observesPools: boolean;
  readonly reader: FeedReader;
}

interface RoundOptions {
  readonly onRound?: (round: Round) => void;
  /**
   * Continues the load for 10 s once calls succeed again, to check that no connection pool keeps a session to a former
   * leader. Default: true.
   */
  readonly observesPools?: boolean;
}

/**
 * Runs one fault after the other on a cluster under metered calls, and after each compares the ledger with the answers
 * that clients got.
 */
export async function runRounds(
  arena: Arena,
  stage: Stage,
  faults: readonly Fault[],
  { onRound = () => undefined, observesPools = true }: RoundOptions = {},
): Promise<Round[]> {
  await stage.untilWhole();
  const scene = await openScene(patientServers(arena), {
    database: stage.database,
    url: stage.cluster.url,
    servers: SERVERS,
    accounts: 8,
    reply: scoreAfter(() => arena.random.below(50)),
    env: { TIMINGS_SCALE },
  });
  const reader = new FeedReader(stage.database);
  const rounds: Round[] = [];
  for (const fault of faults) {
    const before = rounds.reduce(
      (sum, { lost, doubled }) => ({ lost: sum.lost + lost, doubled: sum.doubled + doubled }),
      { lost: 0, doubled: 0 },
    );
    const round = await runRound({ stage, scene, observesPools, reader }, fault, before);
    rounds.push(round);
    onRound(round);
    arena.progress(rounds.length);
  }
  return rounds;
}

async function runRound(play: Play, fault: Fault, before: { lost: number; doubled: number }): Promise<Round> {
  const { history } = play.scene;
  const first = history.calls.length;
  const [changesBefore, restartsBefore] = [play.reader.total, play.reader.restarts];
  const following = followFeed(play);
  const times = await underLoad(play.scene, CALLERS, () => strikeAndHeal(play, fault)).finally(
    following.stop,
  );
  const checked = await judge(play.scene);
  await following.ended;
  await readAll(play);
  const calls = history.calls.slice(first);
  const late = untold(calls, times.backAt + CLEAN_MS, times.healedAt);
  return {
    fault: fault.name,
    calls: calls.length,
    acknowledged: calls.filter(({ outcome }) => outcome === 'ok').length,
    lost: checked.lost - before.lost,
    doubled: checked.doubled - before.doubled,
    outageMs: longestGapMs(calls, times.struckAt, times.healedAt),
    backMs: Math.round(times.backAt - times.struckAt),
    unclean: [
      ...late.map(({ status, body }) => `${status} ${body.code ?? 'without an answer'}`),
      ...times.strays,
    ],
    changes: play.reader.total - changesBefore,
    restarts: play.reader.restarts - restartsBefore,
    wrong: [...checked.wrong, ...(await play.reader.problems()).map((what) => `feed: ${what}`)],
  };
}

/** Pause of the reader when it has reached the end of the feed, and after a failed read. */
const POLL_MS = 20;

/** Reads the change feed through the balancer until it is stopped, whatever fails meanwhile. */
function followFeed({ reader }: Play): { stop(): void; ended: Promise<void> } {
  let isOver = false;
  const follow = async () => {
    while (!isOver) {
      const isAtEnd = await reader.step().then(
        (read) => read.isAtEnd,
        () => true,
      );
      if (isAtEnd) await sleep(POLL_MS);
    }
  };
  return {
    stop: () => {
      isOver = true;
    },
    ended: follow(),
  };
}

/** Reads until the reader has the newest stored change. Changes become readable when a server publishes them. */
async function readAll({ stage, reader }: Play): Promise<void> {
  const [{ newest } = { newest: '0' }] = await stage.database.query<{ newest: string }>(
    "SELECT coalesce((SELECT c.xid::text FROM change c ORDER BY c.xid DESC LIMIT 1), '0') AS newest",
  );
  await until('the newest change is not published', async () => {
    await reader.readToEnd().catch(() => undefined);
    return reader.isPast(newest);
  });
}

interface Times {
  readonly struckAt: number;
  readonly backAt: number;
  readonly healedAt: number;
  readonly strays: readonly string[];
}

async function strikeAndHeal(
  { stage, scene: { history }, observesPools }: Play,
  fault: Fault,
): Promise<Times> {
  const begunAt = performance.now();
  const victims = await stage.untilWhole();
  await until('the load gets no receipts', () => {
    const told = history.calls.filter(({ outcome, invokedAt }) => outcome === 'ok' && invokedAt > begunAt);
    return told.length >= RECEIPTS_BEFORE;
  });
  const struckAt = performance.now();
  await fault.strike(victims);
  try {
    await until('the cluster does not answer the fault', async () =>
      fault.isAnswered(victims, await stage.cluster.roles()),
    );
    const answeredAt = performance.now();
    await until('no call succeeds again', () => firstReceiptAfter(history.calls, answeredAt) !== null);
    const backAt = firstReceiptAfter(history.calls, answeredAt) as number;
    if (!observesPools) return { struckAt, backAt, healedAt: performance.now(), strays: [] };
    await sleep(CLEAN_MS);
    const strays = await stage.strays();
    await sleep(OBSERVED_MS);
    return { struckAt, backAt, healedAt: performance.now(), strays };
  } finally {
    fault.heal(victims);
    // Repair it under load: no call may reach a node that comes back as a former leader.
    await stage.untilWhole();
  }
}

async function until(otherwise: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  while (!(await isSo())) {
    mustHold(performance.now() < deadline, otherwise);
    await sleep(50);
  }
}
