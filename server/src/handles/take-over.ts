import type { Connection } from '../database/connect.ts';
import { makeAccountCreator } from '../registry/creators/account-creator.ts';
import { refreshCreatorAliases } from '../registry/creators/creator-names.ts';
import { refreshSearch } from '../registry/listings/write-listings.ts';
import { findHandle } from './chosen-handle.repository.ts';
import { lockCreators } from './lock-creators.ts';
import { ensureOwnersCreator, followHandle, freeHandle, passHandleOn } from './owners-page.ts';
import {
  type Bearer,
  ensureBearer,
  findAccountCreator,
  findOwnersCreator,
  giveToAccount,
  listingsOfOwner,
  mergeCreators,
  mergedInto,
  moveListings,
  releaseCreator,
  withdrawAcknowledgements,
} from './ownership.repository.ts';
import { ownerIdOf, type SettledListing } from './settle-ownership.ts';
import { shareHandle } from './share-handle.ts';

/** A repository host's account that an account here has just proved. */
export interface ProvedOwner {
  accountId: string;
  host: string;
  handle: string;
  /** The host's own id of the account; null where nobody knows it. */
  hostAccountId: string | null;
}

/**
 * Gives a proved account the listings that the host's ids say are its own, and the creator that stands for it: as its own
 * creator where it has none yet and has no other handle, else merged into its own. Who had proved the same account before
 * loses them, and keeps what else they listed. Listings of which the ids say otherwise, or nothing, leave that creator. The
 * caller is in a transaction and has called lockLineage. Answers the creators whose marks and scores change by it.
 */
export async function takeOver(
  connection: Connection,
  owner: ProvedOwner,
  settled: readonly SettledListing[],
): Promise<string[]> {
  const bearer = await currentBearer(connection, owner, settled);
  if (bearer === null) return moveGiven(connection, owner, settled);
  const own = await ownCreator(connection, owner, bearer);
  const holder = bearer.mergedInto ?? bearer.id;
  await lockCreators(connection, [bearer.id, holder, ...(own ? [own] : [])]);
  const left = await moveOut(connection, owner, settled, { bearer, holder, isOwn: holder === own });
  if (holder === own) {
    await giveToAccount(connection, bearer.id, null, owner.hostAccountId);
    const moved = await moveGiven(connection, owner, settled);
    // Its host may call it otherwise by now.
    return [...new Set([own, ...left, ...moved, ...(await shareHandle(connection, owner.accountId))])];
  }
  const given = idsOf(settled.filter(isGiven));
  const former = await detach(connection, bearer, given, own ?? bearer.id);
  if (own === null) {
    await giveToAccount(connection, bearer.id, owner.accountId, owner.hostAccountId);
  } else {
    await giveToAccount(connection, bearer.id, null, owner.hostAccountId);
    await merge(connection, bearer.id, own);
  }
  const moved = await moveGiven(connection, owner, settled);
  const changed = [...new Set([own ?? bearer.id, bearer.id, ...former, ...left, ...moved])];
  await refreshCreatorAliases(connection, changed);
  return changed;
}

/**
 * The account's creator, made now where its owner has chosen another handle than the bearer's: an account and its creator
 * have one. Null where the creator that has it can be it.
 */
async function ownCreator(
  connection: Connection,
  { accountId }: ProvedOwner,
  bearer: Bearer,
): Promise<string | null> {
  const own = await findAccountCreator(connection, accountId);
  if (own !== null) return own;
  const handle = await findHandle(connection, accountId);
  return handle === null || handle === bearer.handle ? null : makeAccountCreator(connection, accountId);
}

/**
 * Answers the creator under the handle that stands for the proved account. One that stands for another account of the host
 * gives up the name and keeps its listings, and the proved account begins with a new one. Null where it cannot be told whom
 * the creator stands for: all of its listings wait.
 */
async function currentBearer(
  connection: Connection,
  owner: ProvedOwner,
  settled: readonly SettledListing[],
): Promise<Bearer | null> {
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
  await giveToAccount(connection, bearer.id, null, other);
  await passHandleOn(connection, { ...bearer, hostAccountId: other });
  return ensureBearer(connection, owner);
}

/** Finds the creator that is known to stand for the proved account, under its present handle. */
async function findKnown(
  connection: Connection,
  owner: ProvedOwner & { hostAccountId: string },
): Promise<Bearer | null> {
  const known = await findOwnersCreator(connection, owner);
  if (known === null) return null;
  await followHandle(connection, known, owner);
  const now = await findOwnersCreator(connection, owner);
  return now !== null && now.handle.toLowerCase() === owner.handle.toLowerCase() ? now : null;
}

interface Page {
  bearer: Bearer;
  holder: string;
  /** The account has the creator already. */
  isOwn: boolean;
}

/**
 * Moves listings out of the creator that the account takes or has: those of other accounts to these, and those of which it
 * cannot be told whose they are to a creator that nobody has. What somebody has registered stays with who did, unless it was
 * theirs by its owner's id before. Answers the creators that got some.
 */
async function moveOut(
  connection: Connection,
  owner: ProvedOwner,
  settled: readonly SettledListing[],
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
        ? await ensureOwnersCreator(connection, {
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

/** True where the repository that answers may be another one than was listed. */
function isContradicted({ ownership }: SettledListing): boolean {
  return ownership.kind === 'waits' && !['not_read', 'gone', 'owner_unknown'].includes(ownership.reason);
}

/** Answers the creator of listings under a handle that wait; no host allows `~` in a handle. */
async function ensureUnclaimed(connection: Connection, { host, handle }: ProvedOwner): Promise<string> {
  const { id } = await ensureBearer(connection, { host, handle: `${handle}~unclaimed` });
  await refreshCreatorAliases(connection, [id]);
  return id;
}

/**
 * Makes the listings that are the account's by their ids its creator's, wherever they are. One that another account has
 * registered, and never had as the owner, stays with it until the owner registers it. Answers the creators that change.
 */
async function moveGiven(
  connection: Connection,
  { accountId }: ProvedOwner,
  settled: readonly SettledListing[],
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
 * Frees the creator from the account that had it; the owner's listings go on to the new one at once. Answers the creators
 * that are the former account's now.
 */
async function detach(
  connection: Connection,
  bearer: Bearer,
  given: readonly string[],
  successorId: string,
): Promise<string[]> {
  const isGivenId = (id: string) => given.includes(id);
  if (bearer.mergedInto !== null) {
    await releaseCreator(connection, bearer.id);
    const passing = (await listingsOfOwner(connection, bearer.mergedInto, null)).filter(isGivenId);
    await moveListingsTo(connection, passing, successorId);
    return [bearer.mergedInto];
  }
  if (bearer.accountId === null) return [];
  await releaseCreator(connection, bearer.id);
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

function isGiven({ ownership }: SettledListing): boolean {
  return ownership.kind === 'given';
}

function isOwned({ ownership }: SettledListing): boolean {
  return ownership.kind === 'given' || ownership.kind === 'kept';
}

function idsOf(listings: readonly SettledListing[]): string[] {
  return listings.map(({ id }) => id);
}
