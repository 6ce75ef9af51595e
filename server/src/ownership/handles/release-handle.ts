import { refreshCreatorAliases } from '../../catalog/creators/creator-names.ts';
import { findAccountCreator, makeAccountCreator } from '../../catalog/creators/save-creators.ts';
import { refreshListingAliases } from '../../catalog/listings/listing-aliases.ts';
import { lockSubjects, refreshSearch } from '../../catalog/listings/write-listings.ts';
import { creatorKey, proofKeys } from '../../catalog/registry-keys.ts';
import { lockMoreKeys, readLocked } from '../../catalog/registry-locks.ts';
import { updateParents } from '../../catalog/relations/lineage-edges.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import type { ProvedOwner } from './claim-handle.ts';
import { childrenOf } from './claim-listing.queries.ts';
import { lockCreators } from './follow-host.ts';
import {
  findDetachableCreator,
  isStillProved,
  restoreCreator,
  unregisteredListings,
} from './handle.queries.ts';
import {
  detachCreator,
  listingsOfOwner,
  mergeCreators,
  mergedInto,
  moveListings,
  withdrawAcknowledgements,
} from './ownership.queries.ts';
import {
  type EndedOwner,
  findRegisteredByOthers,
  findRewrittenListings,
  restoreRegistryText,
} from './registry-text.queries.ts';

/** A proof that has just ended or lapsed. */
export interface EndedProof extends ProvedOwner {
  /** True if an operator confirmed the account: the stored id of the host account is then cleared with the proof. */
  forgetsId: boolean;
}

/**
 * Undoes `claimHandle` for a proof that has ended or lapsed. Listings get back their former texts and their former
 * creator; listings that only the prover's account has registered stay its own. The creator that came with the proof is
 * unclaimed again. All creators stay in the listings' history. Does nothing if the account has no creator, or has
 * another valid proof of the same host account. Returns the creators whose verified flags and scores may change. The
 * caller is in a transaction, has called lockRegistry or lockKeys, and has ended the proof.
 */
export async function releaseHandle(connection: Connection, proof: EndedProof): Promise<string[]> {
  await lockMoreKeys(connection, proofKeys(proof));
  const own = await readLocked(
    connection,
    () => findAccountCreator(connection, proof.accountId),
    (id) => (id === null ? [] : [creatorKey(id)]),
  );
  if (own === null || (await isStillProved(connection, proof))) return [];
  const handleCreator = await findDetachableCreator(connection, own, proof);
  await lockCreators(connection, handleCreator === null ? [own] : [own, handleCreator]);
  const former = await restoreListings(connection, proof);
  if (handleCreator === null) return [own, ...former];
  const returning = await unregisteredListings(connection, own, proof);
  const successors =
    handleCreator === own
      ? await giveUpCreator(connection, own, proof.accountId, returning)
      : await separate(connection, handleCreator, returning);
  await restoreCreator(connection, handleCreator, proof.forgetsId);
  const changed = [...new Set([own, handleCreator, ...successors, ...former])];
  await refreshCreatorAliases(connection, changed);
  await refreshSearch(connection, returning);
  return changed;
}

/**
 * Detaches the proved host account's creator, which was merged into the directory account's creator, and moves the
 * listings `returning` to the detached creator.
 */
async function separate(
  connection: Connection,
  handleCreator: string,
  returning: readonly string[],
): Promise<string[]> {
  await detachCreator(connection, handleCreator);
  await moveListings(connection, returning, handleCreator);
  return [];
}

/**
 * Detaches the creator of the account. If the account keeps listings or merged creators, creates a new creator for
 * them. The listings `returning` stay with the detached creator.
 */
async function giveUpCreator(
  connection: Connection,
  creatorId: string,
  accountId: string,
  returning: readonly string[],
): Promise<string[]> {
  await detachCreator(connection, creatorId);
  await withdrawAcknowledgements(connection, returning);
  const goesBack = new Set(returning);
  const kept = (await listingsOfOwner(connection, creatorId, null)).filter((id) => !goesBack.has(id));
  const names = await mergedInto(connection, creatorId);
  if (kept.length === 0 && names.length === 0) return [];
  const successor = await makeAccountCreator(connection, accountId);
  for (const name of names) await mergeCreators(connection, name, successor);
  await moveListings(connection, kept, successor);
  await refreshSearch(connection, kept);
  return [successor];
}

/**
 * Restores the listings of an owner whose proof has ended. Texts that the account wrote are replaced by the former
 * texts. A listing that another account registered goes back to that account. A listing that only this account listed
 * is unchanged. Returns the creators that got listings back. The caller has called lockRegistry or lockKeys.
 */
export async function restoreListings(connection: Connection, owner: EndedOwner): Promise<string[]> {
  const { rewritten, returning } = await readLocked(
    connection,
    () => findReturning(connection, owner),
    (found) =>
      found.returning.flatMap(({ creatorId }) => (creatorId === null ? [] : [creatorKey(creatorId)])),
  );
  const ids = returning.map(({ id }) => id);
  if (ids.length === 0) return [];
  const children = await childrenOf(connection, ids);
  await lockSubjects(connection, [...ids, ...children]);
  await restoreRegistryText(
    connection,
    rewritten.map(({ id }) => id),
  );
  const creators = [...new Set(returning.flatMap(({ creatorId }) => creatorId ?? []))];
  for (const creator of creators) {
    const own = returning.filter(({ creatorId }) => creatorId === creator).map(({ id }) => id);
    await moveListings(connection, own, creator);
  }
  await refreshSearch(connection, ids);
  await refreshListingAliases(connection, ids);
  const { changed } = await updateParents(connection, ids);
  await enqueueScoring(connection, [...ids, ...changed], children);
  return creators;
}

async function findReturning(connection: Connection, owner: EndedOwner) {
  const rewritten = await findRewrittenListings(connection, owner);
  return { rewritten, returning: [...rewritten, ...(await findRegisteredByOthers(connection, owner))] };
}
