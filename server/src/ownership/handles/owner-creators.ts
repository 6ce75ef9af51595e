import { refreshCreatorAliases } from '../../catalog/creators/creator-names.ts';
import { makeAccountCreator } from '../../catalog/creators/save-creators.ts';
import { refreshSearch } from '../../catalog/listings/write-listings.ts';
import { creatorKey, hostAccountKeys, nameKey } from '../../catalog/registry-keys.ts';
import { lockMoreKeys, readLocked } from '../../catalog/registry-locks.ts';
import { handleAlias } from '../../catalog/subjects/stored-aliases.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { findOtherOwner, renameHandleOwner } from './follow-host.queries.ts';
import { findDifferentlyNamedCreator, moveAllListings } from './handle.queries.ts';
import {
  detachCreator,
  ensureHandleOwner,
  findCreatorOfHostAccount,
  findCreatorWithProof,
  findHandleOwner,
  type HandleOwner,
  keysOfHandleOwner,
  listingsOfOwner,
  mergeCreators,
  mergedInto,
  replaceRetiredHandle,
  setCreatorAccount,
} from './ownership.queries.ts';

/** An account on a repository host with its permanent id there. */
export interface IdentifiedOwner {
  host: string;
  handle: string;
  hostAccountId: string;
}

/**
 * Returns the creator for the listings of a host account: the first of these that exists.
 * - The creator of the directory account that has proved the host account.
 * - The creator with the host account's id, renamed if `followHandle` allows it.
 * - The creator with the host account's handle. If that creator belongs to another host account, it loses the handle
 *   and keeps its listings, and a new creator gets the handle.
 * - A new creator.
 * The caller has called lockRegistry or lockKeys.
 */
export async function ensureCreatorOfOwner(connection: Connection, owner: IdentifiedOwner): Promise<string> {
  await lockMoreKeys(connection, [
    nameKey(owner.handle),
    ...hostAccountKeys(owner.host, owner.hostAccountId),
  ]);
  const proved = await findProver(connection, owner);
  if (proved !== null) return proved;
  const known = await findKnownOwner(connection, owner);
  if (known !== null) {
    await followHandle(connection, known, owner);
    return known.mergedInto ?? known.id;
  }
  const handleOwner = await handleOfOwner(connection, owner);
  await setCreatorAccount(connection, handleOwner.id, null, owner.hostAccountId);
  await refreshCreatorAliases(connection, [handleOwner.id]);
  return handleOwner.mergedInto ?? handleOwner.id;
}

/**
 * Finds and locks the creator of the directory account that has proved this host account; null if there is none. The
 * caller has locked the host account's id.
 */
export function findProver(connection: Connection, owner: IdentifiedOwner): Promise<string | null> {
  return readLocked(
    connection,
    () => findCreatorWithProof(connection, owner),
    (id) => (id === null ? [] : [creatorKey(id)]),
  );
}

/** Finds and locks the creator with this host account's id; null if there is none. The caller has locked the id. */
export function findKnownOwner(connection: Connection, owner: IdentifiedOwner): Promise<HandleOwner | null> {
  return readLocked(connection, () => findCreatorOfHostAccount(connection, owner), keysOfHandleOwner);
}

/**
 * Returns the creator with the owner's handle. If other host accounts own listings of that creator and the owner owns
 * none of them, the creator loses the handle, and a new creator is returned.
 */
async function handleOfOwner(connection: Connection, owner: IdentifiedOwner): Promise<HandleOwner> {
  const handleOwner = await freeHandle(connection, owner);
  if (handleOwner.hostAccountId !== null) return handleOwner;
  const other = await findOtherOwner(
    connection,
    handleOwner.mergedInto ?? handleOwner.id,
    owner.hostAccountId,
  );
  if (other === null) return handleOwner;
  await lockMoreKeys(connection, hostAccountKeys(owner.host, other));
  await setCreatorAccount(connection, handleOwner.id, null, other);
  await retireHandle(connection, { ...handleOwner, hostAccountId: other });
  return ensureHandleOwner(connection, owner);
}

/**
 * Renames an unclaimed creator to the current handle of its host account. Does nothing if another creator has that
 * handle and is stored without an id, or with the same id. Another creator with a different id loses the handle.
 */
export async function followHandle(
  connection: Connection,
  known: HandleOwner,
  { host, handle, hostAccountId }: IdentifiedOwner,
): Promise<void> {
  if (known.handle === handle || known.accountId !== null || known.mergedInto !== null) return;
  await lockMoreKeys(connection, [nameKey(known.handle), nameKey(handle)]);
  const handleOwner = await readLocked(
    connection,
    () => findHandleOwner(connection, { host, handle }),
    keysOfHandleOwner,
  );
  if (handleOwner !== null && handleOwner.id !== known.id) {
    if (handleOwner.hostAccountId === null || handleOwner.hostAccountId === hostAccountId) return;
    await retireHandle(connection, handleOwner);
  }
  await renameHandleOwner(connection, known.id, handle);
  const former = { label: handleAlias(host, known.handle), kind: 'former' } as const;
  await refreshCreatorAliases(connection, [known.id], new Map([[known.id, [former]]]));
  await refreshSearch(connection, await listingsOfOwner(connection, known.id, null));
}

/**
 * Returns the creator with a handle, and creates it if there is none. If that creator has the id of another host
 * account, takes the handle from it and returns a new creator. Takes no handle if `hostAccountId` is null.
 */
export async function freeHandle(
  connection: Connection,
  { host, handle, hostAccountId }: Omit<IdentifiedOwner, 'hostAccountId'> & { hostAccountId: string | null },
): Promise<HandleOwner> {
  const handleOwner = await ensureHandleOwner(connection, { host, handle });
  if (
    handleOwner.hostAccountId === null ||
    hostAccountId === null ||
    handleOwner.hostAccountId === hostAccountId
  )
    return handleOwner;
  await retireHandle(connection, handleOwner);
  return ensureHandleOwner(connection, { host, handle });
}

/** Replaces a creator's handle, which now belongs to another host account. The creator keeps its listings. */
export async function retireHandle(connection: Connection, handleOwner: HandleOwner): Promise<void> {
  await lockMoreKeys(connection, [
    nameKey(handleOwner.handle),
    ...hostAccountKeys(handleOwner.host, handleOwner.hostAccountId),
  ]);
  await replaceRetiredHandle(connection, handleOwner);
  await refreshCreatorAliases(connection, [handleOwner.mergedInto ?? handleOwner.id]);
}

/**
 * Gives an account and its creator the same handle: the one that the owner chose. If the creator comes from a
 * repository host and has another handle, a new creator is made for the account, and the former one is merged into it
 * with its listings. The result does not depend on whether the account registered a listing or proved the host account
 * first. Returns the creators whose flags and scores change; none if no handle is chosen or the handles are equal. The
 * caller has called lockRegistry or lockKeys and locked the account's creator.
 */
export async function unifyHandle(connection: Connection, accountId: string): Promise<string[]> {
  const former = await findDifferentlyNamedCreator(connection, accountId);
  if (former === null) return [];
  const names = [former, ...(await mergedInto(connection, former))];
  const listings = await listingsOfOwner(connection, former, null);
  await detachCreator(connection, former);
  const own = await makeAccountCreator(connection, accountId);
  for (const name of names) await mergeCreators(connection, name, own);
  // Both creators belong to the same account, so the acknowledgements of the moved listings (see
  // `withdrawAcknowledgements`) stay valid.
  await moveAllListings(connection, former, own);
  await refreshSearch(connection, listings);
  await refreshCreatorAliases(connection, [own, ...names]);
  return [own, former];
}
