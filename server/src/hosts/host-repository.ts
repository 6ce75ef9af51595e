import type { Allowance } from './allowance.ts';
import { askHost, type Validators } from './ask-host.ts';
import { HostFailure } from './host-failure.ts';
import type { Hosts } from './hosts.ts';
import { bitbucketRepository } from './repositories/bitbucket.ts';
import { forgejoRepository } from './repositories/forgejo.ts';
import { githubRepository } from './repositories/github.ts';
import { gitlabRepository } from './repositories/gitlab.ts';
import type { RepositoryReader, RepositoryReading } from './repository-reading.ts';

/** Which repository is asked for, and what is known of it. */
export interface RepositoryQuestion {
  readonly host: string;
  /** By its present or a former `owner/name`, or by the host's own id. */
  readonly by: { readonly name: string } | { readonly id: string };
  /** What the last full answer was marked with: then the host may answer that nothing changed. */
  readonly since?: Validators;
  /** True: only identity, owner and dates are needed, so the last commit is not asked for. */
  readonly identityOnly?: boolean;
  readonly signal?: AbortSignal;
}

/** What a host said of a repository. */
export interface RepositoryAnswer {
  /** Null: nothing changed since. */
  readonly reading: RepositoryReading | null;
  readonly validators: Validators;
  readonly allowance: Allowance;
}

const READERS: Readonly<Record<string, RepositoryReader>> = {
  github: githubRepository,
  gitlab: gitlabRepository,
  forgejo: forgejoRepository,
  bitbucket: bitbucketRepository,
};

/** True where repositories of the host can be read. */
export function readsRepositories(hosts: Hosts, host: string): boolean {
  return (hosts.placeOf(host)?.api ?? '') in READERS;
}

/** Reads a repository's public record, following a rename on its host. Rejects with a HostFailure. */
export async function readHostRepository(
  hosts: Hosts,
  { host, by, since, identityOnly = false, signal }: RepositoryQuestion,
): Promise<RepositoryAnswer> {
  const place = hosts.placeOf(host);
  const reader = place && READERS[place.api];
  if (!place || !reader) throw new HostFailure('unreadable', `Repositories of ${host} cannot be read.`);
  const common = { followRename: true, ...(signal ? { signal } : {}) };
  const path = 'id' in by ? reader.pathById(by.id) : reader.pathByName(by.name);
  const answer = await askHost(hosts, place, path, { ...common, ...(since ? { since } : {}) });
  const { validators, allowance } = answer;
  if (answer.notModified) return { reading: null, validators, allowance };
  const { reading, lastCommit, owner } = reader.read(answer.body, host);
  const ask = (further: string) => askHost(hosts, place, further, common);
  let left = allowance;
  let { hostOwnerId, lastCommitAt } = reading;
  if (owner !== null) {
    const named = await ask(owner.path);
    // A name may pass to another account between two answers, so the repository must still be the same owner's.
    const again = await ask(reader.pathById(reading.hostRepositoryId));
    const isSame = reader.read(again.body, host).owner?.path === owner.path;
    hostOwnerId = isSame ? owner.read(named.body, host) : null;
    left = again.allowance;
  }
  if (lastCommit !== null && !identityOnly) {
    const more = await ask(lastCommit.path).catch(passOverNoCommit);
    lastCommitAt = more === null ? null : lastCommit.read(more.body, host);
    left = more?.allowance ?? left;
  }
  return { reading: { ...reading, hostOwnerId, lastCommitAt }, validators, allowance: left };
}

/** A repository without a commit, or without a public history, has no last one. */
function passOverNoCommit(error: unknown): null {
  if (error instanceof HostFailure && error.kind === 'not_found') return null;
  throw error;
}
