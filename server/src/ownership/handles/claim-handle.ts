import { refreshCreatorAliases } from '../../catalog/creators/creator-names.ts';
import { makeAccountCreator } from '../../catalog/creators/save-creators.ts';
import { refreshSearch } from '../../catalog/listings/write-listings.ts';
import { hostAccountKeys, proofKeys } from '../../catalog/registry-keys.ts';
import { lockMoreKeys, readLocked } from '../../catalog/registry-locks.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { type ListingWithOwnership, ownerIdOf } from './determine-ownership.ts';
import { lockCreators } from './follow-rename.ts';
import { ensureCreatorOfOwner, followHandle, freeHandle, retireHandle } from './owner-creators.ts';
import {
  detachCreator,
  ensureHandleOwner,
  findAccountCreator,
  findCreatorOfHostAccount,
  type HandleOwner,
  keysOfBearer,
  listingsOfOwner,
  mergeCreators,
  mergedInto,
  moveListings,
  setCreatorAccount,
  withdrawAcknowledgements,
} from './ownership.queries.ts';
import { findHandle } from './set-handle.queries.ts';
import { unifyHandle } from './unify-handle.ts';

/** An account on a repository host that an account here has just proved. */
export interface ProvedOwner {
  accountId: string;
  host: string;
  handle: string;
  /** The host's own id of the account; null if unknown. */
  hostAccountId: string | null;
}

/**
 * Gives a proved account the listings that the host's ids say are its own, and the creator that stands for it: as its own
 * creator where it has none yet and has no other handle, else merged into its own. Who had proved the same account before
 * loses them, and keeps what else they listed. Listings of which the ids say otherwise, or nothing, leave that creator. The
 * caller is in a transaction and has called lockRegistry or lockKeys. Answers the creators whose marks and scores change by it.
 */
export async function claimHandle(
  connection: Connection,
  owner: ProvedOwner,
  settled: readonly ListingWithOwnership[],
): Promise<string[]> {
  await lockMoreKeys(connection, proofKeys(owner));
  const bearer = await readLocked(connection, () => currentBearer(connection, owner, settled), keysOfBearer);
  if (bearer === null) return moveGiven(connection, owner, settled);
  const own = await ownCreator(connection, owner, bearer);
  const holder = bearer.mergedInto ?? bearer.id;
  await lockCreators(connection, [bearer.id, holder, ...(own ? [own] : [])]);
  const left = await moveOut(connection, owner, settled, { bearer, holder, isOwn: holder === own });
  if (holder === own) {
    await setCreatorAccount(connection, bearer.id, null, owner.hostAccountId);
    const moved = await moveGiven(connection, owner, settled);
    // The host may show another handle by now.
    return [...new Set([own, ...left, ...moved, ...(await unifyHandle(connection, owner.accountId))])];
  }
  const given = idsOf(settled.filter(isGiven));
  const former = await detach(connection, bearer, given, own ?? bearer.id);
  if (own === null) {
    await setCreatorAccount(connection, bearer.id, owner.accountId, owner.hostAccountId);
  } else {
    await setCreatorAccount(connection, bearer.id, null, owner.hostAccountId);
    await merge(connection, bearer.id, own);
  }
  const moved = await moveGiven(connection, owner, settled);
  const changed = [...new Set([own ?? bearer.id, bearer.id, ...former, ...left, ...moved])];
  await refreshCreatorAliases(connection, changed);
  return changed;
}

/**
 * Returns the account's creator. Creates one if the chosen handle differs from that of the host's creator, because an
 * account and its creator share one handle. Returns null if the host's creator can become the account's own.
 */
async function ownCreator(
  connection: Connection,
  { accountId }: ProvedOwner,
  bearer: HandleOwner,
): Promise<string | null> {
  const own = await findAccountCreator(connection, accountId);
  if (own !== null) return own;
  const handle = await findHandle(connection, accountId);
  return handle === null || handle === bearer.handle ? null : makeAccountCreator(connection, accountId);
}

/**
 * Returns the creator for the proved account, under its handle. A creator of another host account loses the handle
 * and keeps its listings, and the proved account gets a new one. Returns null if the creator's host account cannot be
 * determined: all of its listings wait.
 */
async function currentBearer(
  connection: Connection,
  owner: ProvedOwner,
  settled: readonly ListingWithOwnership[],
): Promise<HandleOwner | null> {
  const { hostAccountId } = owner;
  if (hostAccountId !== null) {
    const known = await findKnown(connection, { ...owner, hostAccountId });
    if (known !== null) return known;
  }
  const bearer = await freeHandle(connection, owner);
  if (bearer.hostAccountId !== null) return hostAccountId === null ? null : bearer;
  const holder = bearer.mergedInto ?? bearer.id;
  const listed = settled.filter(
    ({ isNamed, creatorId }) => isNamed && [bearer.id, holder].includes(creatorId),
  );
  const isTold = listed.length === 0 || listed.some(isOwned);
  if (isTold || holder === (await findAccountCreator(connection, owner.accountId))) return bearer;
  const other = listed.flatMap(({ ownership }) => (ownership.kind === 'others' ? ownership.ownerId : []))[0];
  if (other === undefined) return null;
  await lockMoreKeys(connection, hostAccountKeys(owner.host, other));
  await setCreatorAccount(connection, bearer.id, null, other);
  await retireHandle(connection, { ...bearer, hostAccountId: other });
  return ensureHandleOwner(connection, owner);
}

/** Returns the creator with the id of the proved account, renamed to its current handle. */
async function findKnown(
  connection: Connection,
  owner: ProvedOwner & { hostAccountId: string },
): Promise<HandleOwner | null> {
  const known = await findCreatorOfHostAccount(connection, owner);
  if (known === null) return null;
  await followHandle(connection, known, owner);
  const now = await findCreatorOfHostAccount(connection, owner);
  return now !== null && now.handle.toLowerCase() === owner.handle.toLowerCase() ? now : null;
}

interface Page {
  bearer: HandleOwner;
  holder: string;
  /** True if the account already has the creator. */
  isOwn: boolean;
}

/**
 * Moves listings out of the creator that the account takes over or has. Listings of other accounts go to the creators
 * of those; listings with an undetermined owner go to an unclaimed creator. A registered listing stays with its
 * account, unless it belonged to the owner's id before. Returns the creators that got listings.
 */
async function moveOut(
  connection: Connection,
  owner: ProvedOwner,
  settled: readonly ListingWithOwnership[],
  { bearer, holder, isOwn }: Page,
): Promise<string[]> {
  const changed = new Set<string>();
  for (const listing of settled) {
    const { id, ownership, creatorId, registeredBy, hostOwnerId, host } = listing;
    if (creatorId !== bearer.id && creatorId !== holder) continue;
    const wasOwned = hostOwnerId === ownerIdOf(owner);
    const isSomebodys = isOwn || bearer.accountId !== null || bearer.mergedInto !== null;
    if (isOwned(listing) || (registeredBy !== null && !wasOwned && isSomebodys)) continue;
    if (isOwn && ownership.kind === 'waits' && !isContradicted(listing)) continue;
    const to =
      ownership.kind === 'others'
        ? await ensureCreatorOfOwner(connection, {
            host,
            handle: ownership.ownerHandle,
            hostAccountId: ownership.ownerId,
          })
        : await ensureUnclaimed(connection, owner);
    await moveListingsTo(connection, [id], to);
    changed.add(to);
  }
  return [...changed];
}

/** Returns true if the repository with the listing's name may be a different one than was listed. */
function isContradicted({ ownership }: ListingWithOwnership): boolean {
  return ownership.kind === 'waits' && !['not_read', 'gone', 'owner_unknown'].includes(ownership.reason);
}

/** Returns the creator for waiting listings under a handle; no host allows `~` in a handle. */
async function ensureUnclaimed(connection: Connection, { host, handle }: ProvedOwner): Promise<string> {
  const { id } = await ensureHandleOwner(connection, { host, handle: `${handle}~unclaimed` });
  await refreshCreatorAliases(connection, [id]);
  return id;
}

/**
 * Moves the listings that belong to the account by their ids to its creator. A listing that another account has
 * registered, and never had as the owner, stays with that account until the owner registers it. Returns the creators
 * that change.
 */
async function moveGiven(
  connection: Connection,
  { accountId }: ProvedOwner,
  settled: readonly ListingWithOwnership[],
): Promise<string[]> {
  const given = settled.filter(isGiven).filter(({ registeredBy, creatorAccountId, verified }) => {
    return creatorAccountId === null || registeredBy !== creatorAccountId || verified;
  });
  const known = await findAccountCreator(connection, accountId);
  if (given.length === 0) return known === null ? [] : [known];
  const own = known ?? (await makeAccountCreator(connection, accountId));
  const changed = new Set([own]);
  const away: string[] = [];
  for (const { id, creatorId } of given) {
    if (creatorId === own) continue;
    changed.add(creatorId);
    away.push(id);
  }
  await lockCreators(connection, [...changed]);
  await moveListingsTo(connection, away, own);
  return [...changed];
}

/**
 * Detaches the creator from its former account and moves the owner's listings to the new one. Returns the creators
 * that belong to the former account now.
 */
async function detach(
  connection: Connection,
  bearer: HandleOwner,
  given: readonly string[],
  successorId: string,
): Promise<string[]> {
  const isGivenId = (id: string) => given.includes(id);
  if (bearer.mergedInto !== null) {
    await detachCreator(connection, bearer.id);
    const passing = (await listingsOfOwner(connection, bearer.mergedInto, null)).filter(isGivenId);
    await moveListingsTo(connection, passing, successorId);
    return [bearer.mergedInto];
  }
  if (bearer.accountId === null) return [];
  await detachCreator(connection, bearer.id);
  const listings = await listingsOfOwner(connection, bearer.id, null);
  await withdrawAcknowledgements(connection, listings.filter(isGivenId));
  const kept = listings.filter((id) => !isGivenId(id));
  const names = await mergedInto(connection, bearer.id);
  const successor = await makeAccountCreator(connection, bearer.accountId);
  for (const id of names) await merge(connection, id, successor);
  await moveListingsTo(connection, kept, successor);
  return [successor];
}

async function merge(connection: Connection, from: string, into: string): Promise<void> {
  await mergeCreators(connection, from, into);
  await moveListingsTo(connection, await listingsOfOwner(connection, from, null), into);
}

async function moveListingsTo(
  connection: Connection,
  listingIds: readonly string[],
  creatorId: string,
): Promise<void> {
  await moveListings(connection, listingIds, creatorId);
  await refreshSearch(connection, listingIds);
}

function isGiven({ ownership }: ListingWithOwnership): boolean {
  return ownership.kind === 'given';
}

function isOwned({ ownership }: ListingWithOwnership): boolean {
  return ownership.kind === 'given' || ownership.kind === 'kept';
}

function idsOf(listings: readonly ListingWithOwnership[]): string[] {
  return listings.map(({ id }) => id);
}
