import {
  type IdentityDoubt,
  judgeIdentity,
  loadIdentities,
  markGone,
  type StoredIdentity,
  saveIdentity,
} from '../../catalog/listings/judge-identity.ts';
import { lockSubjects } from '../../catalog/listings/write-listings.ts';
import type { RepositoryReading } from '../../hosts/readers/repository-reading.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { ProvedOwner } from './claim-handle.ts';
import { findOwnedListings, type OwnedListing } from './claim-listing.queries.ts';
import type { RepositoryOutcome, RepositoryOutcomes } from './read-owned-repositories.ts';

/** Reason why the owner of a listing cannot be determined. */
export type WaitReason = IdentityDoubt | 'not_read' | 'owner_unknown';

/**
 * Result of comparing the owner of a listing's repository with a proved host account.
 * - `given`: the host has just shown that the proved account owns the repository.
 * - `kept`: the proved account owned it when the repository was last read, but the host could not be read now or no
 *   longer shows the repository.
 * - `others`: the host has just shown that another host account owns it.
 * - `waits`: the owner is undetermined.
 */
export type Ownership =
  | { readonly kind: 'given' | 'kept' }
  | { readonly kind: 'others'; readonly ownerId: string; readonly ownerHandle: string }
  | { readonly kind: 'waits'; readonly reason: WaitReason };

/** A listing affected by a proof, with its ownership. */
export interface ListingWithOwnership extends OwnedListing {
  ownership: Ownership;
}

const UNREAD: RepositoryOutcome = { kind: 'unread' };

/**
 * Returns the id that is compared with the owner ids of listings: the host's id of the proved account, or `handle:`
 * with the handle in lower case if the host shows no ids.
 */
export function ownerIdOf({
  handle,
  hostAccountId,
}: {
  handle: string;
  hostAccountId: string | null;
}): string {
  return hostAccountId ?? `handle:${handle.toLowerCase()}`;
}

/**
 * Stores the owners that a host reported for the listed repositories of a host account, and determines which of these
 * repositories the host account owns. The caller is in a transaction and has called lockRegistry or lockKeys.
 */
export async function determineOwnership(
  connection: Connection,
  { accountId, ...owner }: ProvedOwner,
  outcomes: RepositoryOutcomes,
): Promise<ListingWithOwnership[]> {
  const ownerId = ownerIdOf(owner);
  const question = { host: owner.host, handles: [owner.handle], hostAccountId: ownerId };
  const found = (await findOwnedListings(connection, question)).map(({ id }) => id);
  await lockSubjects(connection, found);
  const listings = await findOwnedListings(connection, question);
  const stored = new Map((await loadIdentities(connection, found)).map((each) => [each.id, each]));
  const settled: ListingWithOwnership[] = [];
  for (const listing of listings) {
    const identity = stored.get(listing.id);
    if (identity === undefined) continue;
    const outcome = outcomes.get(listing.id) ?? UNREAD;
    const ownership = await settle(connection, identity, ownerId, outcome);
    // The result `kept` counts only if this directory account already has the listing.
    const isLost = ownership.kind === 'kept' && listing.creatorAccountId !== accountId;
    settled.push({ ...listing, ownership: isLost ? waits('not_read') : ownership });
  }
  return settled;
}

async function settle(
  connection: Connection,
  stored: StoredIdentity,
  ownerId: string,
  outcome: RepositoryOutcome,
): Promise<Ownership> {
  const isKnown = stored.hostOwnerId === ownerId && stored.identityDoubt === null;
  if (outcome.kind === 'unread')
    return isKnown ? { kind: 'kept' } : waits(stored.identityDoubt ?? 'not_read');
  if (outcome.kind === 'gone') {
    await markGone(connection, stored.id);
    return isKnown ? { kind: 'kept' } : waits(stored.identityDoubt ?? 'gone');
  }
  const { reading } = outcome;
  const { hostOwnerId, repository } = reading;
  const doubt = await saveReading(connection, stored, reading);
  if (doubt !== null) return waits(doubt);
  if (hostOwnerId === null) return waits('owner_unknown');
  if (hostOwnerId === ownerId) return { kind: 'given' };
  return { kind: 'others', ownerId: hostOwnerId, ownerHandle: repository.slice(0, repository.indexOf('/')) };
}

/**
 * Stores the repository id and the owner id of a listing's repository as read from the host, and any doubt that this is
 * the listed repository. The caller has locked the listing's subject.
 */
export async function storeIdentity(
  connection: Connection,
  id: string,
  reading: RepositoryReading,
): Promise<void> {
  const [stored] = await loadIdentities(connection, [id]);
  if (stored !== undefined) await saveReading(connection, stored, reading);
}

async function saveReading(
  connection: Connection,
  stored: StoredIdentity,
  reading: RepositoryReading,
): Promise<IdentityDoubt | null> {
  const doubt = judgeIdentity(stored, reading);
  const { hostRepositoryId, hostOwnerId } = reading;
  await saveIdentity(connection, { id: stored.id, hostRepositoryId, hostOwnerId, doubt });
  return doubt;
}

function waits(reason: WaitReason): Ownership {
  return { kind: 'waits', reason };
}
