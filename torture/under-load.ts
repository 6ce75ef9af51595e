import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../server/src/platform/database/connect.ts';
import type { Arena } from './arena.ts';
import { checkHistory, type HistoryReport } from './check-history.ts';
import { mustBeNone, mustHold } from './experiment.ts';
import { type Fleet, startFleet } from './fleet.ts';
import { createHistory, type History } from './history.ts';
import { type LoadOptions, resolveUnknown, runLoad, untilNoneIsOpen } from './load.ts';
import type { Reply, ScoringUpstream } from './scoring-upstream.ts';
import { findFaults } from './soundness.ts';
import { makeWorld, type World } from './world.ts';

/** Servers under random calls, and the recorded history. */
export interface Scene {
  /** Connection for checking the ledger. */
  readonly database: Database;
  readonly upstream: ScoringUpstream;
  readonly fleet: Fleet;
  readonly world: World;
  readonly history: History;
  readonly load: Omit<LoadOptions, 'callers' | 'enough'>;
}

/** Resources of a scene. */
export interface SceneParts {
  readonly database: Database;
  /** URL by which the servers reach the database. */
  readonly url: string;
  readonly servers: number;
  readonly accounts: number;
  readonly listings?: number;
  readonly reply: Reply;
  readonly env?: Record<string, string>;
}

/** Starts the servers on a database, and creates the callers. */
export async function openScene(arena: Arena, parts: SceneParts): Promise<Scene> {
  const { database, url, servers, accounts, listings = 4, env } = parts;
  const upstream = await arena.upstream();
  upstream.behave(parts.reply);
  const fleet = await startFleet(arena, servers, url, upstream.url, env);
  const world = await makeWorld(database, { accounts, listings });
  const history = createHistory();
  const load = { world, history, random: arena.random.fork('load'), targets: fleet.targets };
  return { database, upstream, fleet, world, history, load };
}

/** Runs work while clients make calls. */
export async function underLoad<Result>(
  { load }: Scene,
  callers: number,
  work: () => Promise<Result>,
): Promise<Result> {
  let over = false;
  const calling = runLoad({ ...load, callers, enough: () => over });
  try {
    return await work();
  } finally {
    over = true;
    await calling;
  }
}

/** Retries calls with unknown outcomes, waits for every run to end, and compares the ledger with the history. */
export async function judge({ database, upstream, fleet, history, load }: Scene): Promise<HistoryReport> {
  const left = await resolveUnknown(load);
  await untilNoneIsOpen(database);
  const report = await checkHistory(database, history.calls, upstream.calls);
  const faults = await findFaults(database);
  return { ...report, wrong: [...left, ...report.wrong, ...faults, ...fleet.fallen()] };
}

/** Judges the scene as `judge` does, and fails the experiment on any difference. */
export async function mustBeWhole(scene: Scene): Promise<{ lost: number; doubled: number }> {
  const { wrong, lost, doubled } = await judge(scene);
  mustBeNone(wrong);
  return { lost, doubled };
}

const POLL_MS = 50;

/** Waits until clients have got a number of further receipts, first ones or replays. */
export async function untilMoreReceipts(history: History, more: number, limitMs: number): Promise<void> {
  const deadline = performance.now() + limitMs;
  const count = () => history.calls.filter((call) => call.outcome === 'ok').length;
  const enough = count() + more;
  while (count() < enough) {
    await sleep(POLL_MS);
    mustHold(performance.now() < deadline, `${enough - count()} receipts are missing after ${limitMs} ms`);
  }
}

/** Checks that every 503 has Retry-After; returns how many there were. */
export function mustSayWhen(history: History): number {
  const refusals = history.calls.filter(({ status }) => status === 503);
  const silent = refusals.filter(({ retryAfter }) => retryAfter === undefined);
  mustHold(silent.length === 0, `${silent.length} answers with 503 have no Retry-After`);
  return refusals.length;
}
