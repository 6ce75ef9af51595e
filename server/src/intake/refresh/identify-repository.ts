import { mergeSameRepository } from '../../catalog/listing-changes/save-renames.ts';
import { judgeIdentity, loadIdentities } from '../../catalog/listings/judge-identity.ts';
import { inRegistryTransaction, lockRegistry } from '../../catalog/registry-locks.ts';
import type { RepositoryReading } from '../../hosts/readers/repository-reading.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import { loadOthers, requestFullReading } from './refresh.queries.ts';

/**
 * A listing whose repository may be the one that a host returned: the requested listing, or another one with the id or
 * name of the returned repository.
 */
export interface NamedListing {
  readonly id: string;
  readonly repository: string;
  readonly hostRepositoryId: string | null;
}

/** Identity of the repository that a host returned. */
export interface ReadIdentity {
  readonly hostRepositoryId: string;
  /** Repository in the form `owner/name`. */
  readonly repository: string;
}

/**
 * Result of comparing the repository that a host returned with the requested listing.
 * - `same`: the listing's repository, under the listing's name.
 * - `renamed`: the listing's repository under a new name; `displaced` is the listing of another repository that had
 *   this name until now.
 * - `replaced`: another repository, which has taken the listing's name.
 * - `duplicate`: the listing's repository, but another listing already has its id, or has its name and no id.
 * - `nameless`: the listing's repository, under a name that no listing can have.
 */
export type Identity =
  | { readonly kind: 'same' | 'replaced' | 'duplicate' | 'nameless' }
  | { readonly kind: 'renamed'; readonly displaced: NamedListing | null };

/**
 * Compares the repository that a host returned with the requested listing. If the listing's id on the host is known, a
 * different id is another repository, and the same id under a different name is a rename. If the listing's id is
 * unknown, the repository is assumed to be the listing's own. `isListable` says whether a listing can have the
 * repository's name.
 */
export function identifyRepository(
  listing: NamedListing,
  reading: ReadIdentity,
  others: readonly NamedListing[],
  isListable: boolean,
): Identity {
  const { hostRepositoryId } = reading;
  if (listing.hostRepositoryId !== null && listing.hostRepositoryId !== hostRepositoryId) {
    return { kind: 'replaced' };
  }
  if (!isListable) return { kind: 'nameless' };
  if (others.some((other) => other.hostRepositoryId === hostRepositoryId)) return { kind: 'duplicate' };
  if (sameName(listing, reading)) return { kind: 'same' };
  const named = others.find((other) => sameName(other, reading)) ?? null;
  // A listing with that name but without an id is presumably the same repository under its new name.
  if (named !== null && named.hostRepositoryId === null) return { kind: 'duplicate' };
  return { kind: 'renamed', displaced: named };
}

function sameName(one: { repository: string }, other: { repository: string }): boolean {
  return one.repository.toLowerCase() === other.repository.toLowerCase();
}

/**
 * Merges a listing with another listing of the same repository, as the host has just identified it. The listing with
 * the repository's current name stays, and the repository is read again at once. The ids and names of the other listing
 * then resolve to the remaining one. Merges only if nothing in either listing contradicts the host's answer. Returns
 * true if they were merged.
 */
export function mergeDuplicate(
  database: Database,
  listing: NamedListing & { host: string },
  reading: RepositoryReading,
): Promise<boolean> {
  return inRegistryTransaction(database, async (connection) => {
    await lockRegistry(connection);
    const same = [];
    for (const each of [listing, ...(await loadOthers(connection, listing, reading))])
      if (await isSameRepository(connection, each.id, reading)) same.push(each);
    const [one, other] = same;
    if (one === undefined || other === undefined || same.length > 2) return false;
    const isCurrent = ({ repository }: NamedListing) =>
      repository.toLowerCase() === reading.repository.toLowerCase();
    const [kept, former] = isCurrent(other) || !isCurrent(one) ? [other, one] : [one, other];
    const merged = await mergeSameRepository(connection, former.id, kept.id);
    if (merged === null) return false;
    await requestFullReading(connection, kept.id);
    await enqueueScoring(connection, merged.due, merged.dueByLineage);
    return true;
  });
}

/** Returns true if a listing has the host's id of the repository, or no id and no fact that contradicts its answer. */
async function isSameRepository(
  connection: Connection,
  id: string,
  reading: RepositoryReading,
): Promise<boolean> {
  const [stored] = await loadIdentities(connection, [id]);
  if (stored === undefined) return false;
  if (stored.hostRepositoryId !== null) return stored.hostRepositoryId === reading.hostRepositoryId;
  return judgeIdentity(stored, reading) === null;
}
