import { refreshCreatorAliases } from '../../catalog/creators/creator-names.ts';
import { findAccountCreator, makeAccountCreator } from '../../catalog/creators/save-creators.ts';
import { refreshSearch } from '../../catalog/listings/write-listings.ts';
import { hostAccountKeys, proofKeys } from '../../catalog/registry-keys.ts';
import { lockMoreKeys, readLocked } from '../../catalog/registry-locks.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { type ListingWithOwnership, ownerIdOf } from './determine-ownership.ts';
import { lockCreators } from './follow-host.ts';
import { findHandle } from './handle.queries.ts';
import {
  ensureCreatorOfOwner,
  followHandle,
  freeHandle,
  retireHandle,
  unifyHandle,
} from './owner-creators.ts';
import {
  detachCreator,
  ensureHandleOwner,
  findCreatorOfHostAccount,
  type HandleOwner,
  keysOfHandleOwner,
  listingsOfOwner,
  mergeCreators,
  mergedInto,
  moveListings,
  setCreatorAccount,
  withdrawAcknowledgements,
} from './ownership.queries.ts';

/** A repository host account that a directory account has just proved. */
export interface ProvedOwner {
  accountId: string;
  host: string;
  handle: string;
  /** The host's own id of the host account; null if unknown. */
  hostAccountId: string | null;
}

/**
 * Applies the proof that a directory account owns a host account: gives the directory account the listings and the
 * creator of the host account. Returns the creators whose verified flags and scores may change. The caller is in a
 * transaction and has called lockRegistry or lockKeys. `settled` are the listings that the proof may affect, from
 * `determineOwnership`.
 * - Listings: the directory account receives those whose owner id is the id of the proved host account; `moveGiven`
 *   describes an exception.
 * - Creator: the creator of the host account becomes the directory account's own. If the directory account already has
 *   another creator or another handle, the host account's creator is merged into the directory account's creator. If it
 *   is unknown to whom the creator with this handle belongs, no creator changes hands (`currentHandleOwner`).
 * - Former owner: a directory account that proved the same host account before loses this creator and these listings,
 *   and keeps its other listings.
 * - Other listings of the creator: those with another or an undetermined owner are moved out; `moveOut` describes the
 *   exceptions.
 */
export async function claimHandle(
  connection: Connection,
  owner: ProvedOwner,
  settled: readonly ListingWithOwnership[],
): Promise<string[]> {
  await lockMoreKeys(connection, proofKeys(owner));
  const handleOwner = await readLocked(
    connection,
    () => currentHandleOwner(connection, owner, settled),
    keysOfHandleOwner,
  );
  if (handleOwner === null) return moveGiven(connection, owner, settled);
  const own = await ownCreator(connection, owner, handleOwner);
  const holder = handleOwner.mergedInto ?? handleOwner.id;
  await lockCreators(connection, [handleOwner.id, holder, ...(own ? [own] : [])]);
  const left = await moveOut(connection, owner, settled, { handleOwner, holder, isOwn: holder === own });
  if (holder === own) {
    await setCreatorAccount(connection, handleOwner.id, null, owner.hostAccountId);
    const moved = await moveGiven(connection, owner, settled);
    // The handle on the host may have changed since the last proof.
    return [...new Set([own, ...left, ...moved, ...(await unifyHandle(connection, owner.accountId))])];
  }
  const given = idsOf(settled.filter(isGiven));
  const former = await detach(connection, handleOwner, given, own ?? handleOwner.id);
  if (own === null) {
    await setCreatorAccount(connection, handleOwner.id, owner.accountId, owner.hostAccountId);
  } else {
    await setCreatorAccount(connection, handleOwner.id, null, owner.hostAccountId);
    await merge(connection, handleOwner.id, own);
  }
  const moved = await moveGiven(connection, owner, settled);
  const changed = [...new Set([own ?? handleOwner.id, handleOwner.id, ...former, ...left, ...moved])];
  await refreshCreatorAliases(connection, changed);
  return changed;
}

/**
 * Returns the directory account's own creator. If it has none, returns null: it then takes over the host account's
 * creator. Exception: if it has chosen a handle other than that creator's, a new creator is made for it, because an
 * account and its creator share one handle.
 */
async function ownCreator(
  connection: Connection,
  { accountId }: ProvedOwner,
  handleOwner: HandleOwner,
): Promise<string | null> {
  const own = await findAccountCreator(connection, accountId);
  if (own !== null) return own;
  const handle = await findHandle(connection, accountId);
  return handle === null || handle === handleOwner.handle ? null : makeAccountCreator(connection, accountId);
}

/**
 * Finds or creates the creator of the proved host account, under the host account's current handle.
 * - If the creator that has this handle belongs to another host account, that creator loses the handle and keeps its
 *   listings, and a new creator gets the handle.
 * - If it is unknown to which host account that creator belongs, returns null. The creator then keeps its account and
 *   its listings with an undetermined owner, which wait as claims.
 */
async function currentHandleOwner(
  connection: Connection,
  owner: ProvedOwner,
  settled: readonly ListingWithOwnership[],
): Promise<HandleOwner | null> {
  const { hostAccountId } = owner;
  if (hostAccountId !== null) {
    const known = await findKnown(connection, { ...owner, hostAccountId });
    if (known !== null) return known;
  }
  const handleOwner = await freeHandle(connection, owner);
  if (handleOwner.hostAccountId !== null) return hostAccountId === null ? null : handleOwner;
  const holder = handleOwner.mergedInto ?? handleOwner.id;
  const listed = settled.filter(
    ({ isNamed, creatorId }) => isNamed && [handleOwner.id, holder].includes(creatorId),
  );
  const isTold = listed.length === 0 || listed.some(isOwned);
  if (isTold || holder === (await findAccountCreator(connection, owner.accountId))) return handleOwner;
  const other = listed.flatMap(({ ownership }) => (ownership.kind === 'others' ? ownership.ownerId : []))[0];
  if (other === undefined) return null;
  await lockMoreKeys(connection, hostAccountKeys(owner.host, other));
  await setCreatorAccount(connection, handleOwner.id, null, other);
  await retireHandle(connection, { ...handleOwner, hostAccountId: other });
  return ensureHandleOwner(connection, owner);
}

/**
 * Returns the creator that is stored with the id of the proved host account, after renaming the creator to that
 * account's current handle. Returns null if there is no such creator, or if it could not be renamed.
 */
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
  handleOwner: HandleOwner;
  /** Id of `handleOwner`, or of the creator into which it is merged. */
  holder: string;
  /** True if `holder` is already the directory account's own creator. */
  isOwn: boolean;
}

/**
 * Moves listings that the proved account does not own out of its creator.
 * - A listing that another host account owns goes to that account's creator.
 * - A listing with an undetermined owner goes to an unclaimed creator. If the creator is already the directory
 *   account's own, such a listing leaves the creator only if another repository may have taken the listing's name.
 * - A registered listing stays if the creator already belongs to a directory account and the listing's stored owner id
 *   is not the proved one.
 * Returns the creators that got listings.
 */
async function moveOut(
  connection: Connection,
  owner: ProvedOwner,
  settled: readonly ListingWithOwnership[],
  { handleOwner, holder, isOwn }: Page,
): Promise<string[]> {
  const changed = new Set<string>();
  for (const listing of settled) {
    const { id, ownership, creatorId, registeredBy, hostOwnerId, host } = listing;
    if (creatorId !== handleOwner.id && creatorId !== holder) continue;
    const wasOwned = hostOwnerId === ownerIdOf(owner);
    const isSomebodys = isOwn || handleOwner.accountId !== null || handleOwner.mergedInto !== null;
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

/** Returns true if the listing waits because the repository that now has its name may not be the listed one. */
function isContradicted({ ownership }: ListingWithOwnership): boolean {
  return ownership.kind === 'waits' && !['not_read', 'gone', 'owner_unknown'].includes(ownership.reason);
}

/**
 * Finds or creates the unclaimed creator for a handle's listings with an undetermined owner. Its handle ends in
 * `~unclaimed`, which no host account can have, because no host allows `~` in a handle.
 */
async function ensureUnclaimed(connection: Connection, { host, handle }: ProvedOwner): Promise<string> {
  const { id } = await ensureHandleOwner(connection, { host, handle: `${handle}~unclaimed` });
  await refreshCreatorAliases(connection, [id]);
  return id;
}

/**
 * Moves the listings that belong to the proved host account to the directory account's creator. Exception: an
 * unverified listing keeps its present creator if that creator's account registered the listing, until the owner
 * registers it. Returns the creators that lose or get listings, and always the account's creator, if there is one.
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
 * Detaches the host account's creator from its former directory account. The listings `given`, which the proof gives to
 * the new account, move to the creator `successorId`. Returns the creators that the former account has now.
 */
async function detach(
  connection: Connection,
  handleOwner: HandleOwner,
  given: readonly string[],
  successorId: string,
): Promise<string[]> {
  const isGivenId = (id: string) => given.includes(id);
  if (handleOwner.mergedInto !== null) {
    await detachCreator(connection, handleOwner.id);
    const passing = (await listingsOfOwner(connection, handleOwner.mergedInto, null)).filter(isGivenId);
    await moveListingsTo(connection, passing, successorId);
    return [handleOwner.mergedInto];
  }
  if (handleOwner.accountId === null) return [];
  await detachCreator(connection, handleOwner.id);
  const listings = await listingsOfOwner(connection, handleOwner.id, null);
  await withdrawAcknowledgements(connection, listings.filter(isGivenId));
  const kept = listings.filter((id) => !isGivenId(id));
  const names = await mergedInto(connection, handleOwner.id);
  const successor = await makeAccountCreator(connection, handleOwner.accountId);
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
