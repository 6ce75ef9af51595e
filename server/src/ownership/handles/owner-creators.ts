import { refreshCreatorAliases } from '../../catalog/creators/creator-names.ts';
import { refreshSearch } from '../../catalog/listings/write-listings.ts';
import { creatorKey, hostAccountKeys, nameKey } from '../../catalog/registry-keys.ts';
import { lockMoreKeys, readLocked } from '../../catalog/registry-locks.ts';
import { handleAlias } from '../../catalog/subjects/aliases.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { findOtherOwner, renameHandleOwner } from './follow-owner.queries.ts';
import {
  ensureHandleOwner,
  findCreatorOfHostAccount,
  findCreatorWithProof,
  findHandleOwner,
  type HandleOwner,
  keysOfBearer,
  listingsOfOwner,
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
 * Returns the creator that the listings of a host's account belong to: the creator of the account here that has proved it;
 * otherwise the one with its id, which gets its present handle; otherwise a new one. A creator that has the handle with
 * another id loses the handle and keeps its listings. The caller has called lockRegistry or lockKeys.
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
  const bearer = await handleOfOwner(connection, owner);
  await setCreatorAccount(connection, bearer.id, null, owner.hostAccountId);
  await refreshCreatorAliases(connection, [bearer.id]);
  return bearer.mergedInto ?? bearer.id;
}

/** Finds the creator of the account here that has proved this owner, and locks it. The caller has locked the owner's id. */
export function findProver(connection: Connection, owner: IdentifiedOwner): Promise<string | null> {
  return readLocked(
    connection,
    () => findCreatorWithProof(connection, owner),
    (id) => (id === null ? [] : [creatorKey(id)]),
  );
}

/** Finds the creator that stands for this owner's id, and locks it. The caller has locked the id. */
export function findKnownOwner(connection: Connection, owner: IdentifiedOwner): Promise<HandleOwner | null> {
  return readLocked(connection, () => findCreatorOfHostAccount(connection, owner), keysOfBearer);
}

/** Returns the creator with the owner's handle. A creator whose listings belong to another account loses the handle first. */
async function handleOfOwner(connection: Connection, owner: IdentifiedOwner): Promise<HandleOwner> {
  const bearer = await freeHandle(connection, owner);
  if (bearer.hostAccountId !== null) return bearer;
  const other = await findOtherOwner(connection, bearer.mergedInto ?? bearer.id, owner.hostAccountId);
  if (other === null) return bearer;
  await lockMoreKeys(connection, hostAccountKeys(owner.host, other));
  await setCreatorAccount(connection, bearer.id, null, other);
  await retireHandle(connection, { ...bearer, hostAccountId: other });
  return ensureHandleOwner(connection, owner);
}

/**
 * Renames an unclaimed creator to the current handle of its host account, unless a creator with an unknown id has
 * that handle.
 */
export async function followHandle(
  connection: Connection,
  known: HandleOwner,
  { host, handle, hostAccountId }: IdentifiedOwner,
): Promise<void> {
  if (known.handle === handle || known.accountId !== null || known.mergedInto !== null) return;
  await lockMoreKeys(connection, [nameKey(known.handle), nameKey(handle)]);
  const bearer = await readLocked(
    connection,
    () => findHandleOwner(connection, { host, handle }),
    keysOfBearer,
  );
  if (bearer !== null && bearer.id !== known.id) {
    if (bearer.hostAccountId === null || bearer.hostAccountId === hostAccountId) return;
    await retireHandle(connection, bearer);
  }
  await renameHandleOwner(connection, known.id, handle);
  const former = { label: handleAlias(host, known.handle), kind: 'former' } as const;
  await refreshCreatorAliases(connection, [known.id], new Map([[known.id, [former]]]));
  await refreshSearch(connection, await listingsOfOwner(connection, known.id, null));
}

/** Returns the creator with a handle. A creator with another id of the host first loses the handle. */
export async function freeHandle(
  connection: Connection,
  { host, handle, hostAccountId }: Omit<IdentifiedOwner, 'hostAccountId'> & { hostAccountId: string | null },
): Promise<HandleOwner> {
  const bearer = await ensureHandleOwner(connection, { host, handle });
  if (bearer.hostAccountId === null || hostAccountId === null || bearer.hostAccountId === hostAccountId)
    return bearer;
  await retireHandle(connection, bearer);
  return ensureHandleOwner(connection, { host, handle });
}

/** Removes a creator's handle, which now belongs to another account; the creator keeps its listings. */
export async function retireHandle(connection: Connection, bearer: HandleOwner): Promise<void> {
  await lockMoreKeys(connection, [
    nameKey(bearer.handle),
    ...hostAccountKeys(bearer.host, bearer.hostAccountId),
  ]);
  await replaceRetiredHandle(connection, bearer);
  await refreshCreatorAliases(connection, [bearer.mergedInto ?? bearer.id]);
}
