import { setTimeout as sleep } from 'node:timers/promises';

/** Result of reading one item. `limited`: the host limits our requests. `lost`: the lease expired meanwhile. */
export interface RefreshedItem {
  readonly host: string;
  readonly outcome: string;
  /** Seconds until the host may be called again; null if at any time. */
  readonly retryAfterSeconds: number | null;
  /**
   * Texts for people about what could not be read, and why. Except for ids of records, they contain no text from the
   * host.
   */
  readonly problems?: readonly string[];
}

/** A source whose items (repositories, packages, scorecards, …) are read again and again, each when it is due. */
export interface RefreshSource {
  /** Name that people see, in the plural, such as `repositories`. */
  readonly name: string;
  /** Schedules first readings of new items. Returns the hosts that are read. */
  prepare(): Promise<readonly string[]>;
  /** Counts the items of these hosts that are due now, including those never read. */
  countDue(hosts: readonly string[]): Promise<number>;
  /**
   * Reads the item of these hosts that has been due the longest, and stores the answer. Returns null if none is due.
   * Returns a failure of the host as an outcome. Throws any other error, and throws if the signal aborts.
   */
  refreshNext(hosts: readonly string[], signal: AbortSignal): Promise<RefreshedItem | null>;
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

const HOUR_SECONDS = 3_600;

/** Returns the delay after several failures in a row: an hour, doubled by each further failure, up to a limit. */
export function retryDelaySeconds(failures: number, limitSeconds: number): number {
  return Math.min(HOUR_SECONDS * 2 ** (failures - 1), limitSeconds);
}

/** Totals of a refresh of one source. */
export interface RefreshSummary {
  /** Number of items by outcome. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Number of problems by their text; at most 100 different texts are counted. */
  readonly problems: Readonly<Record<string, number>>;
  /** True if the signal aborted the run. */
  readonly interrupted: boolean;
  /**
   * Number of items that are still due after the run. If the run was neither aborted nor at its limit, these items are
   * on hosts that limit our requests, or became due at its end.
   */
  readonly stillDue: number;
  /** Seconds until the first blocked host may be called again; null if no host is blocked. */
  readonly retryAfterSeconds: number | null;
}

export interface RefreshRunOptions {
  readonly signal: AbortSignal;
  /** Maximum number of items to read. */
  readonly limit?: number;
  /** True to wait for hosts that limit our requests; false to end the run. */
  readonly wait?: boolean;
  /** Called once, before the first item, with the number of items to read: the due ones, up to `limit`. */
  readonly onBegin?: (due: number) => void;
  readonly onRefreshed?: (refreshed: RefreshedItem) => void;
  /** Hosts that must not be called at present, shared with other runs. */
  readonly backoff?: HostBackoff;
}

/**
 * Refreshes due items of a source one by one, longest waiting first. Ends when none is due, the limit is reached, every
 * host limits our requests (unless `wait` is set), or the signal aborts. Each item is stored separately, so the next
 * run continues, and runs may be concurrent.
 */
export async function refreshSource(
  source: RefreshSource,
  hosts: readonly string[],
  options: RefreshRunOptions,
): Promise<RefreshSummary> {
  const { signal, limit = Number.POSITIVE_INFINITY, backoff = new HostBackoff() } = options;
  const outcomes: Record<string, number> = {};
  const problems = new Map<string, number>();
  options.onBegin?.(Math.min(limit, await source.countDue(hosts)));
  for (let done = 0; done < limit && !signal.aborted; ) {
    const refreshed = await refreshAvailable(source, backoff.available(hosts), signal);
    if (refreshed === null) {
      if (options.wait !== true || !(await waitForBlockedHost(source, hosts, backoff, signal))) break;
      continue;
    }
    if (refreshed.retryAfterSeconds !== null) backoff.block(refreshed.host, refreshed.retryAfterSeconds);
    if (refreshed.outcome === 'limited') continue;
    outcomes[refreshed.outcome] = (outcomes[refreshed.outcome] ?? 0) + 1;
    for (const each of refreshed.problems ?? []) {
      if (problems.has(each) || problems.size < MAX_PROBLEMS)
        problems.set(each, (problems.get(each) ?? 0) + 1);
    }
    options.onRefreshed?.(refreshed);
    done += 1;
  }
  const stillDue = await source.countDue(hosts);
  const blocked = hosts.filter((host) => !backoff.available(hosts).includes(host));
  const retryAfterSeconds = blocked.length > 0 ? backoff.secondsUntilAvailable(blocked) : null;
  const counted = Object.fromEntries(problems);
  return { outcomes, problems: counted, interrupted: signal.aborted, stillDue, retryAfterSeconds };
}

/** Maximum different problems that are counted. */
const MAX_PROBLEMS = 100;

/** Returns the number of items that a refresh has read. */
export function refreshedCount({ outcomes }: RefreshSummary): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

async function refreshAvailable(
  source: RefreshSource,
  available: readonly string[],
  signal: AbortSignal,
): Promise<RefreshedItem | null> {
  if (available.length === 0) return null;
  try {
    return await source.refreshNext(available, signal);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

/** Sleeps until a blocked host with due items may be called; returns false if there is none, or on abort. */
async function waitForBlockedHost(
  source: RefreshSource,
  hosts: readonly string[],
  backoff: HostBackoff,
  signal: AbortSignal,
): Promise<boolean> {
  const available = new Set(backoff.available(hosts));
  const blocked = hosts.filter((host) => !available.has(host));
  if (blocked.length === 0 || (await source.countDue(blocked)) === 0) return false;
  return sleep(backoff.secondsUntilAvailable(blocked) * 1_000, true, { signal }).catch(() => false);
}
