import type { Connection } from '../database/connect.ts';
import type { RepositoryReading } from '../hosts/repository-reading.ts';
import { refreshVerifiedListings } from '../registry/creators/verified.ts';
import { refreshSearch } from '../registry/listings/write-listings.ts';
import { findHolder, type ListingHolder } from './follow-owner.repository.ts';
import { endClaimsByReading } from './listing-claims.repository.ts';
import { lockCreators } from './lock-creators.ts';
import { ensureOwnersCreator, followHandle, type IdentifiedOwner } from './owners-page.ts';
import { findOwnersCreator, findProversCreator, moveListings } from './ownership.repository.ts';

/**
 * Begins to follow the owner of a listing whose repository was read: the creator that stands for the owner's id goes by the
 * owner's present handle. Answers who has the listing. Call it before the reading is stored.
 */
export async function beginFollowing(
  connection: Connection,
  listing: { id: string; host: string },
  reading: RepositoryReading,
): Promise<ListingHolder | null> {
  const owner = ownerOf(listing.host, reading);
  const known = owner && (await findOwnersCreator(connection, owner));
  if (known) await followHandle(connection, known, owner);
  return findHolder(connection, listing.id);
}

/**
 * Makes a listing the creator's that stands for the owner of its repository, after the reading was stored, and ends claims
 * that the reading decides. What an account has registered, and never had as the owner, stays with it. Answers the creators
 * that lost or got it. The caller has called lockLineage.
 */
export async function followOwner(
  connection: Connection,
  listing: { id: string; host: string },
  reading: RepositoryReading,
  before: ListingHolder | null,
): Promise<string[]> {
  const { id, host } = listing;
  const owner = ownerOf(host, reading);
  const now = await findHolder(connection, id);
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

function isMovable({ accountId, registeredBy }: ListingHolder, before: ListingHolder | null): boolean {
  return accountId === null || registeredBy !== accountId || before?.verified === true;
}

async function creatorFor(
  connection: Connection,
  owner: IdentifiedOwner,
  { accountId, creatorId }: ListingHolder,
): Promise<string> {
  const proved = await findProversCreator(connection, owner);
  if (proved !== null) return proved;
  const known = await findOwnersCreator(connection, owner);
  // A proof that has lapsed, or waits for its check, takes nothing away by itself.
  if (accountId !== null && known !== null && (known.mergedInto ?? known.id) === creatorId) return creatorId;
  return ensureOwnersCreator(connection, owner);
}

function ownerOf(host: string, { hostOwnerId, repository }: RepositoryReading): IdentifiedOwner | null {
  if (hostOwnerId === null) return null;
  return { host, handle: repository.slice(0, repository.indexOf('/')), hostAccountId: hostOwnerId };
}
