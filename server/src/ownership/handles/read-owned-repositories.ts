import type { Hosts } from '../../hosts/create-hosts.ts';
import { HostFailure } from '../../hosts/host-account.ts';
import { readHostRepository, readsRepositories } from '../../hosts/lookup/host-repository.ts';
import type { RepositoryReading } from '../../hosts/readers/repository-reading.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { findClaimable, findOwnedRepositories, type OwnedRepository } from './claim-listing.queries.ts';

/**
 * Result of reading a listed repository on its host. `gone`: the host does not show it. `unread`: the host could not
 * be read, or not before the deadline.
 */
export type RepositoryOutcome =
  | { readonly kind: 'read'; readonly reading: RepositoryReading }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unread' };

/** Results by the listing's subject id; a missing listing was not read. */
export type RepositoryOutcomes = ReadonlyMap<string, RepositoryOutcome>;

/** Results for the case that no repository was read. */
export const NO_OUTCOMES: RepositoryOutcomes = new Map();

/** An account on a repository host, with every handle under which its listings may be stored. */
export interface OwnerHandles {
  host: string;
  handles: readonly string[];
  hostAccountId: string | null;
}

/** Maximum repositories read per proof; the next check, an hour later, reads more. */
const MOST_READINGS = 100;
const READINGS_AT_ONCE = 4;
/** Time limit for all repositories of one call; short, because a user waits for it. */
const DEADLINE_MS = 10_000;

/**
 * Reads up to 100 listed repositories of a host account from the host, those with an unknown owner first. Requests each
 * by its known repository id, otherwise by name. Failures of the host never reject: a repository that could not be read
 * is `unread`, or missing in the result. Call it outside of any transaction.
 */
export async function readOwnedRepositories(
  connection: Connection,
  hosts: Hosts,
  owner: OwnerHandles,
): Promise<RepositoryOutcomes> {
  if (!readsRepositories(hosts, owner.host)) return NO_OUTCOMES;
  const repositories = await findOwnedRepositories(connection, owner, MOST_READINGS);
  return readRepositories(hosts, repositories);
}

/**
 * Reads these repositories within one time limit. After the first one that cannot be read, for example because the host
 * limits our requests, no further requests begin.
 */
async function readRepositories(
  hosts: Hosts,
  repositories: readonly OwnedRepository[],
): Promise<RepositoryOutcomes> {
  const outcomes = new Map<string, RepositoryOutcome>();
  const signal = AbortSignal.timeout(DEADLINE_MS);
  const left = [...repositories];
  const work = async () => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) {
      const outcome = await readOne(hosts, next, signal);
      outcomes.set(next.id, outcome);
      if (outcome.kind === 'unread') left.length = 0;
    }
  };
  await Promise.all(Array.from({ length: READINGS_AT_ONCE }, work));
  return outcomes;
}

/** Reads one listed repository from its host. */
export function readRepository(hosts: Hosts, repository: OwnedRepository): Promise<RepositoryOutcome> {
  return readOne(hosts, repository, AbortSignal.timeout(DEADLINE_MS));
}

async function readOne(
  hosts: Hosts,
  { host, repository, hostRepositoryId }: OwnedRepository,
  signal: AbortSignal,
): Promise<RepositoryOutcome> {
  const by = hostRepositoryId === null ? { name: repository } : { id: hostRepositoryId };
  try {
    const { reading } = await readHostRepository(hosts, { host, by, identityOnly: true, signal });
    return reading === null ? { kind: 'unread' } : { kind: 'read', reading };
  } catch (error) {
    if (error instanceof HostFailure) return { kind: error.kind === 'not_found' ? 'gone' : 'unread' };
    if (signal.aborted) return { kind: 'unread' };
    throw error;
  }
}

/**
 * Reads a repository that an account registers. Returns null if the account has not proved any host account that may
 * own the repository, or if repositories of this host cannot be read. Call it outside of any transaction.
 */
export async function readOwnRepository(
  connection: Connection,
  { accountId, hosts }: { accountId: string; hosts?: Hosts | undefined },
  { host, repository }: { host: string; repository: string },
): Promise<RepositoryOutcome | null> {
  if (hosts === undefined || !readsRepositories(hosts, host)) return null;
  const claimable = await findClaimable(connection, { accountId, host, repository });
  return claimable === null ? null : readRepository(hosts, { ...claimable, host, repository });
}
