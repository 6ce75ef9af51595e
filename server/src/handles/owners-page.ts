import type { Connection } from '../database/connect.ts';
import { refreshCreatorAliases } from '../registry/creators/creator-names.ts';
import { refreshSearch } from '../registry/listings/write-listings.ts';
import { handleLabel } from '../subjects/labels.ts';
import { findOtherOwner } from './follow-owner.repository.ts';
import { renameBearer } from './follow-rename.repository.ts';
import {
  type Bearer,
  ensureBearer,
  findBearer,
  findOwnersCreator,
  findProversCreator,
  giveToAccount,
  listingsOfOwner,
  takeName,
} from './ownership.repository.ts';

/** An account on a repository host, by the id that the host never gives to another one. */
export interface IdentifiedOwner {
  host: string;
  handle: string;
  hostAccountId: string;
}

/**
 * Answers the creator that the listings of a host's account belong to: that of the account here that has proved it, else the
 * one that stands for its id, which follows it to its present handle, else one that is made. A creator that has the handle
 * and stands for another id gives the handle up and keeps its listings. The caller has called lockLineage.
 */
export async function ensureOwnersCreator(connection: Connection, owner: IdentifiedOwner): Promise<string> {
  const proved = await findProversCreator(connection, owner);
  if (proved !== null) return proved;
  const known = await findOwnersCreator(connection, owner);
  if (known !== null) {
    await followHandle(connection, known, owner);
    return known.mergedInto ?? known.id;
  }
  const bearer = await handleOfOwner(connection, owner);
  await giveToAccount(connection, bearer.id, null, owner.hostAccountId);
  await refreshCreatorAliases(connection, [bearer.id]);
  return bearer.mergedInto ?? bearer.id;
}

/** Answers the creator under the owner's handle; one whose listings are another account's gives the handle up first. */
async function handleOfOwner(connection: Connection, owner: IdentifiedOwner): Promise<Bearer> {
  const bearer = await freeHandle(connection, owner);
  if (bearer.hostAccountId !== null) return bearer;
  const other = await findOtherOwner(connection, bearer.mergedInto ?? bearer.id, owner.hostAccountId);
  if (other === null) return bearer;
  await giveToAccount(connection, bearer.id, null, other);
  await passHandleOn(connection, { ...bearer, hostAccountId: other });
  return ensureBearer(connection, owner);
}

/** Renames a creator that nobody has claimed to the handle that its account has now, unless an unknown one has it. */
export async function followHandle(
  connection: Connection,
  known: Bearer,
  { host, handle, hostAccountId }: IdentifiedOwner,
): Promise<void> {
  if (known.handle === handle || known.accountId !== null || known.mergedInto !== null) return;
  const bearer = await findBearer(connection, { host, handle });
  if (bearer !== null && bearer.id !== known.id) {
    if (bearer.hostAccountId === null || bearer.hostAccountId === hostAccountId) return;
    await passHandleOn(connection, bearer);
  }
  await renameBearer(connection, known.id, handle);
  const former = { label: handleLabel(host, known.handle), kind: 'former' } as const;
  await refreshCreatorAliases(connection, [known.id], new Map([[known.id, [former]]]));
  await refreshSearch(connection, await listingsOfOwner(connection, known.id, null));
}

/** Answers the creator under a handle; one that stands for another id of the host gives the handle up first. */
export async function freeHandle(
  connection: Connection,
  { host, handle, hostAccountId }: Omit<IdentifiedOwner, 'hostAccountId'> & { hostAccountId: string | null },
): Promise<Bearer> {
  const bearer = await ensureBearer(connection, { host, handle });
  if (bearer.hostAccountId === null || hostAccountId === null || bearer.hostAccountId === hostAccountId)
    return bearer;
  await passHandleOn(connection, bearer);
  return ensureBearer(connection, { host, handle });
}

/** Has a creator give up its handle to the account that has it now, and keep its listings. */
export async function passHandleOn(connection: Connection, bearer: Bearer): Promise<void> {
  await takeName(connection, bearer);
  await refreshCreatorAliases(connection, [bearer.mergedInto ?? bearer.id]);
}
