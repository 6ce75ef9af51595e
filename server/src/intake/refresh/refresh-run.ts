import { setTimeout as sleep } from 'node:timers/promises';
import type { Hosts } from '../../hosts/create-hosts.ts';
import { readsRepositories } from '../../hosts/lookup/host-repository.ts';
import type { Database } from '../../platform/database/connect.ts';
import { type RunOutcome, recordJobRun } from '../../platform/jobs/record-job-run.ts';
import { countDueChecks, countRecentChecks, listedHosts, scheduleListings } from './refresh.queries.ts';
import { type RefreshDependencies, type RefreshedListing, refreshNextListing } from './refresh-listing.ts';

/** Period of the refresh job. */
export const REFRESH_PERIOD_MS = 60_000;

const RUNS_PER_HOUR = 60;

/**
 * Creates the refresh job, which runs once a minute. Each run reads at most a sixtieth of the hourly limit, and less if
 * all processes together would exceed that limit. Rate limits of hosts are remembered across runs. Once an hour, the
 * first checks of new listings are scheduled.
 */
export function createRefreshJob(parts: RefreshDependencies, perHour: number, signal: AbortSignal) {
  const backoff = new HostBackoff();
  let readable: readonly string[] = [];
  let runs = 0;
  return async (): Promise<number> => {
    if (runs % RUNS_PER_HOUR === 0) readable = await scheduleReadableHosts(parts.database, parts.hosts);
    runs += 1;
    const left = perHour - (await countRecentChecks(parts.database));
    const limit = Math.min(left, Math.ceil(perHour / RUNS_PER_HOUR));
    if (limit <= 0 || readable.length === 0) return 0;
    const { outcomes } = await refreshListings(parts, readable, { signal, limit, backoff });
    return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
  };
}

/**
 * Remembers which hosts must not be called, and for how long. Each process has its own instance. Uses a monotonic
 * clock.
 */
export class HostBackoff {
  readonly #until = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Blocks calls to a host for this long. */
  block(host: string, seconds: number): void {
    this.#until.set(host, this.#now() + seconds * 1_000);
  }

  /** Returns the hosts that may be called now. */
  available(hosts: readonly string[]): string[] {
    return hosts.filter((host) => this.#remainingMs(host) <= 0);
  }

  /** Returns the seconds until one of the hosts may be called; 0 if one may be now. */
  secondsUntilAvailable(hosts: readonly string[]): number {
    return Math.max(0, Math.ceil(Math.min(...hosts.map((host) => this.#remainingMs(host))) / 1_000));
  }

  #remainingMs(host: string): number {
    return (this.#until.get(host) ?? 0) - this.#now();
  }
}

/** Totals of a refresh. */
export interface RefreshSummary {
  /** Number of listings by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** True if the signal aborted the run. */
  readonly interrupted: boolean;
  /**
   * Listings that are still due after the run. If the run was neither aborted nor at its limit, all of them are on
   * hosts that limit our requests.
   */
  readonly stillDue: number;
  /** Seconds until the first blocked host may be called again; null if no host is blocked. */
  readonly retryAfterSeconds: number | null;
}

export interface RefreshRunOptions {
  readonly signal: AbortSignal;
  /** Maximum number of listings to read. */
  readonly limit?: number;
  /** True to wait for hosts that limit our requests; false to end the run. */
  readonly wait?: boolean;
  /** Called once, before the first listing, with the number of due listings. */
  readonly onBegin?: (due: number) => void;
  readonly onRefreshed?: (refreshed: RefreshedListing) => void;
  /** Hosts that must not be called at present, shared with other runs. */
  readonly backoff?: HostBackoff;
}

/**
 * Returns the hosts that have listings and that this server can read. First schedules a check of each listing on these
 * hosts that has no scheduled check.
 */
export async function scheduleReadableHosts(database: Database, hosts: Hosts): Promise<string[]> {
  const readable = (await listedHosts(database)).filter((host) => readsRepositories(hosts, host));
  while ((await scheduleListings(database, readable)) > 0);
  return readable;
}

/**
 * Refreshes due listings one by one, longest waiting first. Ends when none is due, the limit is reached, every host
 * limits our requests (unless `wait` is set), or the signal aborts. Each listing is stored separately, so the next run
 * continues, and runs may be concurrent.
 */
export function refreshListings(
  parts: RefreshDependencies,
  readable: readonly string[],
  options: RefreshRunOptions,
): Promise<RefreshSummary> {
  return recordJobRun(parts.database, 'refresh', (runOutcome) =>
    refreshDue(parts, readable, options, runOutcome),
  );
}

async function refreshDue(
  parts: RefreshDependencies,
  readable: readonly string[],
  options: RefreshRunOptions,
  runOutcome: RunOutcome,
): Promise<RefreshSummary> {
  const { signal, limit = Number.POSITIVE_INFINITY, backoff = new HostBackoff() } = options;
  const outcomes: Record<string, number> = {};
  options.onBegin?.(Math.min(limit, await countDueChecks(parts.database, readable)));
  for (let done = 0; done < limit && !signal.aborted; ) {
    const refreshed = await refreshAvailable(parts, backoff.available(readable), signal);
    if (refreshed === null) {
      if (options.wait !== true || !(await waitForBlockedHost(parts, readable, backoff, signal))) break;
      continue;
    }
    if (refreshed.retryAfterSeconds !== null) backoff.block(refreshed.host, refreshed.retryAfterSeconds);
    if (refreshed.outcome === 'limited') continue;
    outcomes[refreshed.outcome] = (outcomes[refreshed.outcome] ?? 0) + 1;
    options.onRefreshed?.(refreshed);
    done += 1;
    runOutcome.listings = done;
  }
  runOutcome.finished = !signal.aborted;
  const stillDue = await countDueChecks(parts.database, readable);
  const blocked = readable.filter((host) => !backoff.available(readable).includes(host));
  const retryAfterSeconds = blocked.length > 0 ? backoff.secondsUntilAvailable(blocked) : null;
  return { outcomes, interrupted: signal.aborted, stillDue, retryAfterSeconds };
}

async function refreshAvailable(
  parts: RefreshDependencies,
  available: readonly string[],
  signal: AbortSignal,
): Promise<RefreshedListing | null> {
  if (available.length === 0) return null;
  try {
    return await refreshNextListing(parts, available, signal);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** Sleeps until a blocked host with due listings may be called; returns false if there is none, or on abort. */
async function waitForBlockedHost(
  { database }: RefreshDependencies,
  readable: readonly string[],
  backoff: HostBackoff,
  signal: AbortSignal,
): Promise<boolean> {
  const available = new Set(backoff.available(readable));
  const blocked = readable.filter((host) => !available.has(host));
  if (blocked.length === 0 || (await countDueChecks(database, blocked)) === 0) return false;
  return sleep(backoff.secondsUntilAvailable(blocked) * 1_000, true, { signal }).catch(() => false);
}
