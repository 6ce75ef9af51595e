import type { Hosts } from '../../hosts/create-hosts.ts';
import { readsRepositories } from '../../hosts/lookup/host-repository.ts';
import type { Config } from '../../platform/config/load-config.ts';
import type { Database } from '../../platform/database/connect.ts';
import { recordJobRun } from '../../platform/jobs/background-job.ts';
import { advisorySource } from './advisory-source.ts';
import { countRecentRequests } from './leased-source.queries.ts';
import { packageSource } from './package-source.ts';
import { countDueChecks, listedHosts, scheduleListings } from './refresh.queries.ts';
import { type RefreshDependencies, refreshNextListing } from './refresh-listing.ts';
import {
  HostBackoff,
  type RefreshRunOptions,
  type RefreshSource,
  type RefreshSummary,
  refreshedCount,
  refreshSource,
} from './refresh-source.ts';
import { registrySource } from './registry-source.ts';
import { repositoryDetailsSource } from './repository-details.ts';
import { scorecardSource } from './scorecard-source.ts';
import { wellKnownSource } from './well-known-source.ts';

/** Period of the refresh job. */
export const REFRESH_PERIOD_MS = 60_000;

const RUNS_PER_HOUR = 60;

/** Returns all sources that are refreshed, in the order of the command's summary. */
export function refreshSources(
  parts: RefreshDependencies & { config: Pick<Config, 'wellKnownDomains'> },
): RefreshSource[] {
  return [
    repositorySource(parts),
    packageSource(parts),
    repositoryDetailsSource(parts),
    registrySource(parts),
    scorecardSource(parts),
    advisorySource(parts),
    wellKnownSource({ ...parts, wellKnownDomains: parts.config.wellKnownDomains }),
  ];
}

/**
 * Creates the refresh job, which runs once a minute. `perHour` limits the requests of all processes together. Each run
 * reads at most a sixtieth of this number of items, which the sources with due items share. Rate limits of hosts are
 * remembered across runs. Once an hour, the first readings of new items are scheduled. Logs what could not be read.
 */
export function createRefreshJob(
  database: Database,
  sources: readonly RefreshSource[],
  perHour: number,
  signal: AbortSignal,
  log?: { warn(fields: object, message: string): void },
) {
  const backoff = new HostBackoff();
  let hosts = new Map<RefreshSource, readonly string[]>();
  let runs = 0;
  return async (): Promise<number> => {
    if (runs % RUNS_PER_HOUR === 0) hosts = await prepareAll(sources);
    // Each run begins with another source, so that even with one reading a minute every source is read.
    const first = runs % sources.length;
    runs += 1;
    const left = perHour - (await countRecentRequests(database));
    const limit = Math.min(left, Math.ceil(perHour / RUNS_PER_HOUR));
    if (limit <= 0) return 0;
    return recordJobRun(database, 'refresh', async (runOutcome) => {
      const order = [...sources.slice(first), ...sources.slice(0, first)];
      for (const [place, source] of order.entries()) {
        const share = Math.ceil((limit - runOutcome.listings) / (order.length - place));
        const options = { signal, limit: share, backoff };
        if (share > 0) {
          const summary = await refreshSource(source, hosts.get(source) ?? [], options);
          runOutcome.listings += refreshedCount(summary);
          const { problems } = summary;
          if (Object.keys(problems).length > 0)
            log?.warn({ task: 'refresh facts', source: source.name, problems }, 'facts could not be read');
        }
      }
      runOutcome.finished = !signal.aborted;
      return runOutcome.listings;
    });
  };
}

async function prepareAll(sources: readonly RefreshSource[]): Promise<Map<RefreshSource, readonly string[]>> {
  const hosts = new Map<RefreshSource, readonly string[]>();
  for (const source of sources) hosts.set(source, await source.prepare());
  return hosts;
}

/** Creates the source of repositories: the public record of each listing's repository. */
export function repositorySource(parts: RefreshDependencies): RefreshSource {
  return {
    name: 'repositories',
    prepare: () => scheduleReadableHosts(parts.database, parts.hosts),
    countDue: (hosts) => countDueChecks(parts.database, hosts),
    refreshNext: (hosts, signal) => refreshNextListing(parts, hosts, signal),
  };
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

/** Refreshes due repositories of these hosts, and stores when the run ended, even if it fails. */
export function refreshListings(
  parts: RefreshDependencies,
  readable: readonly string[],
  options: RefreshRunOptions,
): Promise<RefreshSummary> {
  return refreshRecorded(parts.database, repositorySource(parts), readable, options);
}

/** Refreshes due items of a source, and stores when the run ended, even if it fails. */
export function refreshRecorded(
  database: Database,
  source: RefreshSource,
  hosts: readonly string[],
  options: RefreshRunOptions,
): Promise<RefreshSummary> {
  return recordJobRun(database, 'refresh', async (runOutcome) => {
    const onRefreshed: RefreshRunOptions['onRefreshed'] = (refreshed) => {
      runOutcome.listings += 1;
      options.onRefreshed?.(refreshed);
    };
    const summary = await refreshSource(source, hosts, { ...options, onRefreshed });
    runOutcome.finished = !options.signal.aborted;
    return summary;
  });
}
