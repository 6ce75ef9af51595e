import type { RegistryKey } from './registry-locks.ts';

/** Returns the key of an account here: it locks its proofs, its handle, and which creator it has. */
export function accountKey(accountId: string): RegistryKey {
  return `account ${accountId}`;
}

/** Returns the key of a creator: it locks its owner, the creator it is merged into, and its listings. */
export function creatorKey(creatorId: string): RegistryKey {
  return `creator ${creatorId}`;
}

/** Returns the key of a listing: it locks whether it is listed, and its edges of lineage. */
export function listingKey(listingId: string): RegistryKey {
  return `listing ${listingId}`;
}

/**
 * Returns the key of a handle on any host, given as it is or as the first part of `owner/name`. It locks which creator,
 * account and repositories have the handle, and which relations wait for a repository of that owner.
 */
export function nameKey(handleOrRepository: string): RegistryKey {
  return `name ${handleOrRepository.split('/', 1)[0]?.toLowerCase()}`;
}

/**
 * Returns the key of a host's account by its id, if known. It locks who has proved the account, which creator represents it,
 * and which listings it owns.
 */
export function hostAccountKeys(host: string, hostAccountId: string | null | undefined): RegistryKey[] {
  return hostAccountId ? [`host account ${host.toLowerCase()} ${hostAccountId}`] : [];
}

/** Returns the keys of packages. They lock which listings and artifacts name the packages. */
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

/** Returns the keys of everything that a proof of this account concerns by name. */
export function proofKeys({ accountId, host, handle, hostAccountId }: ProvedName): RegistryKey[] {
  const own = accountId === null ? [] : [accountKey(accountId)];
  return [...own, nameKey(handle), ...hostAccountKeys(host, hostAccountId)];
}
