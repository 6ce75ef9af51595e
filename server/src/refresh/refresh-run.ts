import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/connect.ts';
import { noteLastRun, type RunOutcome } from '../database/note-last-run.ts';
import { readsRepositories } from '../hosts/host-repository.ts';
import type { Hosts } from '../hosts/hosts.ts';
import { HostRests } from './host-rests.ts';
import { countDueChecks, enrolListings, listedHosts } from './refresh.repository.ts';
import { type RefreshedListing, type RefreshParts, refreshNextListing } from './refresh-listing.ts';

/** What a run of refreshing came to. */
export interface RefreshSummary {
  /** Listings by what became of them. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** True where the signal ended the run. */
  readonly interrupted: boolean;
  /** Listings that are still due, all on hosts that ask for a rest, unless the run was ended or limited. */
  readonly stillDue: number;
  /** How long the first of those hosts asks to be left alone; null where none does. */
  readonly restSeconds: number | null;
}

export interface RefreshRunOptions {
  readonly signal: AbortSignal;
  /** Listings to read at most. */
  readonly limit?: number;
  /** Waits for hosts that ask for a rest, in place of ending. */
  readonly wait?: boolean;
  /** Told how many are due, once, before the first. */
  readonly onBegin?: (due: number) => void;
  readonly onRefreshed?: (refreshed: RefreshedListing) => void;
  /** Rests that outlive this run. */
  readonly rests?: HostRests;
}

/** Every host of a listing that can be read, with its listings put on the list. */
export async function enrolReadableHosts(database: Database, hosts: Hosts): Promise<string[]> {
  const readable = (await listedHosts(database)).filter((host) => readsRepositories(hosts, host));
  while ((await enrolListings(database, readable)) > 0);
  return readable;
}

/**
 * Refreshes due listings one after the other, longest waiting first, until none is due, the limit is reached, every host
 * asks for a rest or the signal is given. What was done is stored: the next run goes on where this one ended, and others
 * may run at the same time.
 */
export function refreshListings(
  parts: RefreshParts,
  readable: readonly string[],
  options: RefreshRunOptions,
): Promise<RefreshSummary> {
  return noteLastRun(parts.database, 'refresh', (noted) => refreshDue(parts, readable, options, noted));
}

async function refreshDue(
  parts: RefreshParts,
  readable: readonly string[],
  options: RefreshRunOptions,
  noted: RunOutcome,
): Promise<RefreshSummary> {
  const { signal, limit = Number.POSITIVE_INFINITY, rests = new HostRests() } = options;
  const outcomes: Record<string, number> = {};
  options.onBegin?.(Math.min(limit, await countDueChecks(parts.database, readable)));
  for (let done = 0; done < limit && !signal.aborted; ) {
    const refreshed = await refreshAwake(parts, rests.awake(readable), signal);
    if (refreshed === null) {
      if (options.wait !== true || !(await waitForRest(parts, readable, rests, signal))) break;
      continue;
    }
    if (refreshed.restSeconds !== null) rests.rest(refreshed.host, refreshed.restSeconds);
    if (refreshed.outcome === 'limited') continue;
    outcomes[refreshed.outcome] = (outcomes[refreshed.outcome] ?? 0) + 1;
    options.onRefreshed?.(refreshed);
    done += 1;
    noted.listings = done;
  }
  noted.finished = !signal.aborted;
  const stillDue = await countDueChecks(parts.database, readable);
  const resting = readable.filter((host) => !rests.awake(readable).includes(host));
  const restSeconds = resting.length > 0 ? rests.secondsUntilAwake(resting) : null;
  return { outcomes, interrupted: signal.aborted, stillDue, restSeconds };
}

async function refreshAwake(
  parts: RefreshParts,
  awake: readonly string[],
  signal: AbortSignal,
): Promise<RefreshedListing | null> {
  if (awake.length === 0) return null;
  try {
    return await refreshNextListing(parts, awake, signal);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** Sleeps until a resting host that still has due listings may be asked; false where there is none, or on the signal. */
async function waitForRest(
  { database }: RefreshParts,
  readable: readonly string[],
  rests: HostRests,
  signal: AbortSignal,
): Promise<boolean> {
  const awake = new Set(rests.awake(readable));
  const resting = readable.filter((host) => !awake.has(host));
  if (resting.length === 0 || (await countDueChecks(database, resting)) === 0) return false;
  return sleep(rests.secondsUntilAwake(resting) * 1_000, true, { signal }).catch(() => false);
}
