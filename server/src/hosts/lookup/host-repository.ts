import type { HostApi } from '../../platform/config/known-hosts.ts';
import type { Hosts } from '../create-hosts.ts';
import { HostFailure } from '../host-account.ts';
import { bitbucketRepository } from '../readers/bitbucket.ts';
import { forgejoRepository } from '../readers/forgejo.ts';
import { githubRepository } from '../readers/github.ts';
import { gitlabRepository } from '../readers/gitlab.ts';
import type { RepositoryReader, RepositoryReading } from '../readers/repository-reading.ts';
import { type RateLimit, requestHost, type Validators } from '../request-host.ts';

/** Request for a repository. */
export interface RepositoryRequest {
  readonly host: string;
  /** Selects by current or former `owner/name`, or by the host's own id. */
  readonly by: { readonly name: string } | { readonly id: string };
  /** Validators of the last full answer. With them, the host may answer that nothing has changed since. */
  readonly since?: Validators;
  /** Skips the request for the last commit, because only identity, owner and dates are needed. */
  readonly identityOnly?: boolean;
  readonly signal?: AbortSignal;
}

/** Answer of a host about a repository. */
export interface RepositoryResponse {
  /** Null if nothing has changed since the last full answer. */
  readonly reading: RepositoryReading | null;
  readonly validators: Validators;
  readonly rateLimit: RateLimit;
}

/** Readers by API; null if its hosts have no repositories. */
const READERS: Readonly<Record<HostApi, RepositoryReader | null>> = {
  github: githubRepository,
  gitlab: gitlabRepository,
  forgejo: forgejoRepository,
  bitbucket: bitbucketRepository,
  npm: null,
  npm_downloads: null,
  pypi: null,
  bluesky: null,
  mastodon: null,
  telegram: null,
  mcp_registry: null,
  scorecard: null,
  osv: null,
};

/** Returns true if repositories of the host can be read. */
export function readsRepositories(hosts: Hosts, host: string): boolean {
  const endpoint = hosts.endpointOf(host);
  return endpoint !== null && READERS[endpoint.api] !== null;
}

/**
 * Reads a repository's public record and follows renames on its host. Rejects with a HostFailure if the repository
 * cannot be read.
 */
export async function readHostRepository(
  hosts: Hosts,
  { host, by, since, identityOnly = false, signal }: RepositoryRequest,
): Promise<RepositoryResponse> {
  const endpoint = hosts.endpointOf(host);
  const reader = endpoint && READERS[endpoint.api];
  if (!endpoint || !reader)
    throw new HostFailure('unreadable', `This server cannot read repositories on ${host}.`);
  const common = { followRename: true, ...(signal ? { signal } : {}) };
  const path = 'id' in by ? reader.pathById(by.id) : reader.pathByName(by.name);
  const answer = await requestHost(hosts, endpoint, path, { ...common, ...(since ? { since } : {}) });
  const { validators, rateLimit: allowance } = answer;
  if (answer.notModified) return { reading: null, validators, rateLimit: allowance };
  const { reading, lastCommit, owner } = reader.read(answer.body, host);
  const ask = (further: string) => requestHost(hosts, endpoint, further, common);
  let left = allowance;
  let { hostOwnerId, lastCommitAt } = reading;
  if (owner !== null) {
    const named = await ask(owner.path);
    // A name may pass to another account between two requests, so check that the repository still has the same owner.
    const again = await ask(reader.pathById(reading.hostRepositoryId));
    const isSame = reader.read(again.body, host).owner?.path === owner.path;
    hostOwnerId = isSame ? owner.read(named.body, host) : null;
    left = again.rateLimit;
  }
  if (lastCommit !== null && !identityOnly) {
    const more = await ask(lastCommit.path).catch(ignoreNotFound);
    lastCommitAt = more === null ? null : lastCommit.read(more.body, host);
    left = more?.rateLimit ?? left;
  }
  return { reading: { ...reading, hostOwnerId, lastCommitAt }, validators, rateLimit: left };
}

/**
 * Returns null for a failure `not_found`: the repository has no commits or no public history. Rethrows other errors.
 */
function ignoreNotFound(error: unknown): null {
  if (error instanceof HostFailure && error.kind === 'not_found') return null;
  throw error;
}
