import { refreshVerifiedListings } from '../../catalog/creators/verified.ts';
import { refreshSearch } from '../../catalog/listings/write-listings.ts';
import { creatorKey, hostAccountKeys, nameKey } from '../../catalog/registry-keys.ts';
import { lockMoreKeys, readLocked } from '../../catalog/registry-locks.ts';
import type { RepositoryReading } from '../../hosts/readers/repository-reading.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { findHolder, type ListingHolder } from './follow-owner.queries.ts';
import { lockCreators } from './follow-rename.ts';
import { endClaimsByReading } from './listing-claims.queries.ts';
import {
  ensureCreatorOfOwner,
  findKnownOwner,
  findProver,
  followHandle,
  type IdentifiedOwner,
} from './owner-creators.ts';
import { moveListings } from './ownership.queries.ts';

/**
 * Renames the creator with the owner's id to the owner's current handle, if that creator is unclaimed. Returns the
 * listing's current creator and owner. Call it before storing what was read about the listing's repository.
 */
export async function beginFollowing(
  connection: Connection,
  listing: { id: string; host: string },
  reading: RepositoryReading,
): Promise<ListingHolder | null> {
  const owner = ownerOf(listing.host, reading);
  await lockMoreKeys(connection, [
    nameKey(reading.repository),
    ...hostAccountKeys(listing.host, reading.hostOwnerId),
  ]);
  const known = owner && (await findKnownOwner(connection, owner));
  if (known) await followHandle(connection, known, owner);
  return lockHolder(connection, listing);
}

/**
 * Moves a listing to the creator of its repository's owner, and ends the claims that are decided by what was read. Call
 * it after the new owner was stored. Exception: an unverified listing keeps its present creator if that creator's
 * account registered the listing. Returns the creators that lost or got the listing. The caller has called lockRegistry
 * or lockKeys.
 */
export async function followOwner(
  connection: Connection,
  listing: { id: string; host: string },
  reading: RepositoryReading,
  before: ListingHolder | null,
): Promise<string[]> {
  const { id, host } = listing;
  const owner = ownerOf(host, reading);
  const now = await lockHolder(connection, listing);
  const changed: string[] = [];
  if (owner !== null && now !== null && now.hostOwnerId === owner.hostAccountId && isMovable(now, before)) {
    const creator = await creatorFor(connection, owner, now);
    if (creator !== now.creatorId) {
      changed.push(now.creatorId, creator);
      await lockCreators(connection, changed);
      await moveListings(connection, [id], creator);
      await refreshSearch(connection, [id]);
    }
  }
  await refreshVerifiedListings(connection, [id]);
  await endClaimsByReading(connection, id);
  return changed;
}

/**
 * Reads the creator and the owner of a listing and locks both, so that neither changes before the transaction moves the
 * listing.
 */
function lockHolder(
  connection: Connection,
  { id, host }: { id: string; host: string },
): Promise<ListingHolder | null> {
  return readLocked(
    connection,
    () => findHolder(connection, id),
    (holder) =>
      holder === null ? [] : [creatorKey(holder.creatorId), ...hostAccountKeys(host, holder.hostOwnerId)],
  );
}

function isMovable({ accountId, registeredBy }: ListingHolder, before: ListingHolder | null): boolean {
  return accountId === null || registeredBy !== accountId || before?.verified === true;
}

async function creatorFor(
  connection: Connection,
  owner: IdentifiedOwner,
  { accountId, creatorId }: ListingHolder,
): Promise<string> {
  const proved = await findProver(connection, owner);
  if (proved !== null) return proved;
  const known = await findKnownOwner(connection, owner);
  // The creator keeps the listing while its account's proof has lapsed or waits for a check.
  if (accountId !== null && known !== null && (known.mergedInto ?? known.id) === creatorId) return creatorId;
  return ensureCreatorOfOwner(connection, owner);
}

function ownerOf(host: string, { hostOwnerId, repository }: RepositoryReading): IdentifiedOwner | null {
  if (hostOwnerId === null) return null;
  return { host, handle: repository.slice(0, repository.indexOf('/')), hostAccountId: hostOwnerId };
}
