import type { Connection } from '../database/connect.ts';
import { makeAccountCreator } from '../registry/creators/account-creator.ts';
import { refreshCreatorAliases } from '../registry/creators/creator-names.ts';
import { refreshSearch } from '../registry/listings/write-listings.ts';
import { lockCreators } from './lock-creators.ts';
import {
  findAccountCreator,
  listingsOfOwner,
  mergeCreators,
  mergedInto,
  moveListings,
  releaseCreator,
  withdrawAcknowledgements,
} from './ownership.repository.ts';
import { restoreListings } from './restore-listings.ts';
import {
  findReleasable,
  isStillProved,
  restoreCreator,
  unregisteredListings,
} from './take-back.repository.ts';
import type { ProvedOwner } from './take-over.ts';

/** A proof that has just ended or lapsed. */
export interface EndedProof extends ProvedOwner {
  /** True where nobody but an operator said what the host's id of the account is: it is forgotten with the proof. */
  forgetsId: boolean;
}

/**
 * Undoes a take-over whose proof has ended or lapsed: listings return to what the registry last had, in words and in
 * creator, and the creator that came with the proof is nobody's again. What the account itself listed, and nobody else,
 * stays its own. The former creators stay in the listings' history. The caller is in a transaction, has called
 * lockLineage, and has ended the proof. Answers the creators whose marks and scores change by it.
 */
export async function takeBack(connection: Connection, proof: EndedProof): Promise<string[]> {
  const own = await findAccountCreator(connection, proof.accountId);
  if (own === null || (await isStillProved(connection, proof))) return [];
  const bearer = await findReleasable(connection, own, proof);
  await lockCreators(connection, bearer === null ? [own] : [own, bearer]);
  const former = await restoreListings(connection, proof);
  if (bearer === null) return [own, ...former];
  const returning = await unregisteredListings(connection, own, proof);
  const heirs =
    bearer === own
      ? await giveUpCreator(connection, own, proof.accountId, returning)
      : await separate(connection, bearer, returning);
  await restoreCreator(connection, bearer, proof.forgetsId);
  const changed = [...new Set([own, bearer, ...heirs, ...former])];
  await refreshCreatorAliases(connection, changed);
  await refreshSearch(connection, returning);
  return changed;
}

/** The account's creator was merged with the bearer of the handle, who gets its own listings back. */
async function separate(
  connection: Connection,
  bearer: string,
  returning: readonly string[],
): Promise<string[]> {
  await releaseCreator(connection, bearer);
  await moveListings(connection, returning, bearer);
  return [];
}

/** The bearer was the account's only creator: what else the account has goes on under another one, if there is anything. */
async function giveUpCreator(
  connection: Connection,
  creatorId: string,
  accountId: string,
  returning: readonly string[],
): Promise<string[]> {
  await releaseCreator(connection, creatorId);
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
