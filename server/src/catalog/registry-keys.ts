import type { RegistryKey } from './registry-locks.ts';

/** Key of an account here: its proofs, its handle, and which creator it has. */
export function accountKey(accountId: string): RegistryKey {
  return `account ${accountId}`;
}

/** Key of a creator: whose it is, what it is merged into, and which listings it has. */
export function creatorKey(creatorId: string): RegistryKey {
  return `creator ${creatorId}`;
}

/** Key of a listing: that it is listed, and its edges of lineage. */
export function listingKey(listingId: string): RegistryKey {
  return `listing ${listingId}`;
}

/**
 * Key of a handle on any host, given as it is or as the first part of `owner/name`: which creator, account and repositories
 * bear it, and which relations wait for a repository of that owner.
 */
export function nameKey(handleOrRepository: string): RegistryKey {
  return `name ${handleOrRepository.split('/', 1)[0]?.toLowerCase()}`;
}

/** Keys of a host's account by its id: who has proved it, which creator stands for it, and which listings are its own. */
export function hostAccountKeys(host: string, hostAccountId: string | null | undefined): RegistryKey[] {
  return hostAccountId ? [`host account ${host.toLowerCase()} ${hostAccountId}`] : [];
}

/** Keys of packages: which listings and artifacts name them. */
export function packageKeys({ npm, pypi }: PackagesNamed): RegistryKey[] {
  return [
    ...npm.map((name) => `npm ${name}`),
    ...pypi.map((name) => `pypi ${name.toLowerCase().replace(/[-_.]+/g, '-')}`),
  ];
}

/** Package names as sources state them. */
interface PackagesNamed {
  npm: readonly string[];
  pypi: readonly string[];
}

/** An account on a host, and the account here that proves it, had proved it, or null. */
interface ProvedName {
  accountId: string | null;
  host: string;
  handle: string;
  hostAccountId: string | null;
}

/** Keys of all that a proof of this account concerns by name. */
export function proofKeys({ accountId, host, handle, hostAccountId }: ProvedName): RegistryKey[] {
  const own = accountId === null ? [] : [accountKey(accountId)];
  return [...own, nameKey(handle), ...hostAccountKeys(host, hostAccountId)];
}
