import { refreshCreatorAliases } from '../../catalog/creators/creator-names.ts';
import { findAccountCreator } from '../../catalog/creators/save-creators.ts';
import { creatorsOfAccounts, refreshVerifiedListings } from '../../catalog/creators/verified.ts';
import {
  artifactsInside,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../../catalog/listings/listing-aliases.ts';
import { lockSubjects, refreshSearch } from '../../catalog/listings/write-listings.ts';
import { refreshPackages } from '../../catalog/packages/decide-packages.ts';
import { accountKey, creatorKey, hostAccountKeys, nameKey } from '../../catalog/registry-keys.ts';
import { lockMoreKeys, readLocked } from '../../catalog/registry-locks.ts';
import { handleAlias } from '../../catalog/subjects/stored-aliases.ts';
import type { RepositoryReading } from '../../hosts/readers/repository-reading.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import { findHolder, type ListingHolder, renameHandleOwner, renameListings } from './follow-host.queries.ts';
import { endClaimsByReading } from './listing-claims.queries.ts';
import {
  ensureCreatorOfOwner,
  findKnownOwner,
  findProver,
  followHandle,
  type IdentifiedOwner,
} from './owner-creators.ts';
import {
  detachCreator,
  findAffectedSubjects,
  findHandleOwner,
  keysOfHandleOwner,
  listingsOfOwner,
  moveListings,
  replaceRetiredHandle,
} from './ownership.queries.ts';

/**
 * Renames the creator of the repository's owner to the owner's current handle, if `followHandle` allows it. Locks and
 * returns the listing's current creator and owner; null if there is no such listing. Call it before storing what was
 * read about the repository.
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
 * Moves a listing to the creator of its repository's owner, and ends the claims that the reading of the repository has
 * decided. Exception: an unverified listing keeps its present creator if that creator's account registered the listing.
 * Call it after the new owner was stored; `before` is the result of `beginFollowing`. Returns the creators that lost or
 * got the listing. The caller has called lockRegistry or lockKeys.
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
 * Reads the creator of a listing and the owner of its repository, and locks both, so that neither changes before the
 * transaction moves the listing.
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

/** A proved account on a repository host whose handle has changed from `from` to `to`. */
export interface RenamedAccount {
  accountId: string;
  host: string;
  hostAccountId: string;
  from: string;
  to: string;
}

/**
 * Follows a rename of a host account: renames the creator with the old handle, if it is the account's own, and the
 * account's listings whose repository names begin with the old handle. The old names resolve to the renamed creator and
 * listings until another creator or listing takes them. If another creator already has the new handle, the renamed
 * creator gets a substitute handle (`replaceRetiredHandle`), and the caller claims the other creator. Does nothing if
 * the directory account has no creator. The caller is in a transaction and has called lockRegistry or lockKeys.
 */
export async function followRename(connection: Connection, renamed: RenamedAccount): Promise<void> {
  const { accountId, host, hostAccountId, from, to } = renamed;
  await lockMoreKeys(connection, [
    accountKey(accountId),
    nameKey(from),
    nameKey(to),
    ...hostAccountKeys(host, hostAccountId),
  ]);
  const own = await readLocked(
    connection,
    () => findAccountCreator(connection, accountId),
    (id) => (id === null ? [] : [creatorKey(id)]),
  );
  const handleOwner = await readLocked(
    connection,
    () => findHandleOwner(connection, { host, handle: from }),
    keysOfHandleOwner,
  );
  if (own === null) return;
  await lockCreators(connection, [own]);
  const isOwn = handleOwner !== null && (handleOwner.id === own || handleOwner.mergedInto === own);
  if (isOwn && handleOwner.hostAccountId === hostAccountId) {
    if (await findHandleOwner(connection, { host, handle: to }))
      await replaceRetiredHandle(connection, handleOwner);
    else await renameHandleOwner(connection, handleOwner.id, to);
    const former = { label: handleAlias(host, from), kind: 'former' } as const;
    await refreshCreatorAliases(connection, [own], new Map([[own, [former]]]));
  }
  const listings = await renameListings(connection, own, { host, hostAccountId, from, to });
  // Update the search index, so that the listings are found by the new handle.
  await refreshSearch(connection, await listingsOfOwner(connection, own, null));
  const formerNames = new Map(listings.map(({ id, before }) => [id, [before]]));
  const ids = [...formerNames.keys()];
  // Decide again which packages belong to these listings: namespaces in the MCP registry prove only the old handle,
  // which may soon belong to another owner.
  const packages = await refreshPackages(connection, ids);
  await packages.storeAliases();
  await enqueueScoring(connection, packages.due, []);
  await refreshListingAliases(connection, ids, formerNames);
  await refreshArtifactAliases(connection, await artifactsInside(connection, ids));
}

/** Detaches an account's creators, which keep their handles and listings. The caller has locked them. */
export async function detachCreators(connection: Connection, accountId: string): Promise<void> {
  for (const creator of await creatorsOfAccounts(connection, [accountId])) {
    await detachCreator(connection, creator);
  }
}

/**
 * Locks everything that a change of these creators affects: the creators, so that no listing joins or leaves them, and
 * the rows of their listings and of the listings' children. Rows are locked in id order, so that two transactions
 * cannot deadlock.
 */
export async function lockCreators(connection: Connection, creatorIds: readonly string[]): Promise<void> {
  await lockMoreKeys(connection, creatorIds.map(creatorKey));
  await lockSubjects(connection, await findAffectedSubjects(connection, creatorIds));
}
