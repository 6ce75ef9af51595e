import type { RegistryKey } from './registry-locks.ts';

/**
 * Returns the lock key of a customer account. It protects the account's proofs of host accounts, its handle and its
 * creator.
 */
export function accountKey(accountId: string): RegistryKey {
  return `account ${accountId}`;
}

/**
 * Returns the lock key of a creator. It protects the creator's listings, the customer account that owns the creator,
 * and the creator into which it is merged.
 */
export function creatorKey(creatorId: string): RegistryKey {
  return `creator ${creatorId}`;
}

/** Returns the lock key of a listing. It protects the listing's existence and its lineage relations. */
export function listingKey(listingId: string): RegistryKey {
  return `listing ${listingId}`;
}

/**
 * Returns the lock key of a handle, one key for all hosts. The argument is `handle` or `handle/repository`. The key
 * protects the sets of creators, accounts and repositories that have the handle. It also protects relations that name
 * an unlisted repository `handle/…`.
 */
export function nameKey(handleOrRepository: string): RegistryKey {
  return `name ${handleOrRepository.split('/', 1)[0]?.toLowerCase()}`;
}

/**
 * Returns a list with the lock key of a host account, which the host's id identifies. The list is empty if the id is
 * unknown. The key protects the account's proof, creator and listings.
 */
export function hostAccountKeys(host: string, hostAccountId: string | null | undefined): RegistryKey[] {
  return hostAccountId ? [`host account ${host.toLowerCase()} ${hostAccountId}`] : [];
}

/** Returns the lock keys of packages. Each key protects the set of listings and artifacts that claim the package. */
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

/** A host account. `accountId` is the customer account that proves it or proved it before, or null. */
interface ProvedName {
  accountId: string | null;
  host: string;
  handle: string;
  hostAccountId: string | null;
}

/** Returns the lock keys that a transaction must take before it changes a proof of this host account. */
export function proofKeys({ accountId, host, handle, hostAccountId }: ProvedName): RegistryKey[] {
  const own = accountId === null ? [] : [accountKey(accountId)];
  return [...own, nameKey(handle), ...hostAccountKeys(host, hostAccountId)];
}
