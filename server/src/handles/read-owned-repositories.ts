import type { Connection } from '../database/connect.ts';
import { HostFailure } from '../hosts/host-failure.ts';
import { readHostRepository, readsRepositories } from '../hosts/host-repository.ts';
import type { Hosts } from '../hosts/hosts.ts';
import type { RepositoryReading } from '../hosts/repository-reading.ts';
import { findOwnedRepositories, type OwnedRepository } from './owned-repositories.repository.ts';

/** What a host answered about a listed repository. `unread`: it could not be asked, or not in time. */
export type RepositoryOutcome =
  | { readonly kind: 'read'; readonly reading: RepositoryReading }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unread' };

/** Answers of a host by the listing's subject id; a listing that is left out was not read. */
export type RepositoryOutcomes = ReadonlyMap<string, RepositoryOutcome>;

/** No listing was read. */
export const NOTHING_READ: RepositoryOutcomes = new Map();

/** An account on a repository host, by every handle that its listings may be stored under. */
export interface OwnerQuestion {
  host: string;
  handles: readonly string[];
  hostAccountId: string | null;
}

/** The most repositories that one proof reads; the others wait, and a check within the hour reads on. */
const MOST_READINGS = 100;
const READINGS_AT_ONCE = 4;
/** A person waits for this. */
const DEADLINE_MS = 10_000;

/**
 * Reads the listed repositories of an account from their host, those first whose owner is not known yet. Asks by the known
 * repository id, else by name. Never rejects for what the host does: a repository that could not be read is `unread`. Call
 * it outside of any transaction.
 */
export async function readOwnedRepositories(
  connection: Connection,
  hosts: Hosts,
  owner: OwnerQuestion,
): Promise<RepositoryOutcomes> {
  if (!readsRepositories(hosts, owner.host)) return NOTHING_READ;
  const repositories = await findOwnedRepositories(connection, owner, MOST_READINGS);
  return readRepositories(hosts, repositories);
}

/** Reads these repositories within one deadline, and asks no further where the host limits us or does not answer. */
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

/** Reads one repository. */
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
