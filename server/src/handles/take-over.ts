import type { Connection } from '../database/connect.ts';
import { makeAccountCreator } from '../registry/creators/account-creator.ts';
import { refreshCreatorAliases } from '../registry/creators/creator-names.ts';
import { refreshSearch } from '../registry/listings/write-listings.ts';
import { findHandle } from './chosen-handle.repository.ts';
import { lockCreators } from './lock-creators.ts';
import {
  type Bearer,
  ensureBearer,
  findAccountCreator,
  giveToAccount,
  listingsOfOwner,
  mergeCreators,
  mergedInto,
  moveListings,
  otherListings,
  releaseCreator,
  takeName,
  withdrawAcknowledgements,
} from './ownership.repository.ts';
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
 * Gives a proved account the creator that has its handle in the registry, with that creator's listings and names: as
 * its own creator where it has none yet and has no other handle, else merged into its own. Who had proved the same
 * account before loses them, and keeps what else they listed. The caller is in a transaction and has called lockLineage.
 * Answers the creators whose marks and scores change by it.
 */
export async function takeOver(connection: Connection, owner: ProvedOwner): Promise<string[]> {
  const bearer = await currentBearer(connection, owner);
  const own = await ownCreator(connection, owner, bearer);
  const holder = bearer.mergedInto ?? bearer.id;
  await lockCreators(connection, [bearer.id, holder, ...(own ? [own] : [])]);
  if (holder === own) {
    await giveToAccount(connection, bearer.id, null, owner.hostAccountId);
    // Its host may call it otherwise by now.
    return [own, ...(await shareHandle(connection, owner.accountId))];
  }
  const former = await detach(connection, bearer, owner, own ?? bearer.id);
  if (own === null) {
    await giveToAccount(connection, bearer.id, owner.accountId, owner.hostAccountId);
  } else {
    await giveToAccount(connection, bearer.id, null, owner.hostAccountId);
    await merge(connection, bearer.id, own);
  }
  const changed = [...new Set([own ?? bearer.id, bearer.id, ...former])];
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
 * The creator under this handle. Where its proved account is another one, the handle has passed on to somebody else on
 * the host: that creator gives up the name, keeps its listings, and the new bearer begins with none.
 */
async function currentBearer(connection: Connection, owner: ProvedOwner): Promise<Bearer> {
  const bearer = await ensureBearer(connection, owner);
  const { hostAccountId } = bearer;
  if (hostAccountId === null || owner.hostAccountId === null || hostAccountId === owner.hostAccountId)
    return bearer;
  await takeName(connection, bearer);
  await refreshCreatorAliases(connection, [bearer.mergedInto ?? bearer.id]);
  return ensureBearer(connection, owner);
}

/**
 * Frees the creator from the account that had it; the owner's listings go on to the new one at once. Answers the creators
 * that are the former account's now.
 */
async function detach(
  connection: Connection,
  bearer: Bearer,
  owner: ProvedOwner,
  successorId: string,
): Promise<string[]> {
  if (bearer.mergedInto !== null) {
    await releaseCreator(connection, bearer.id);
    const passing = await listingsOfOwner(connection, bearer.mergedInto, owner);
    await moveListingsTo(connection, passing, successorId);
    return [bearer.mergedInto];
  }
  if (bearer.accountId === null) return [];
  await releaseCreator(connection, bearer.id);
  await withdrawAcknowledgements(connection, await listingsOfOwner(connection, bearer.id, owner));
  const kept = await otherListings(connection, bearer.id, owner);
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
