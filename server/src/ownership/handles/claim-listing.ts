import { ensureAccountCreator } from '../../catalog/creators/save-creators.ts';
import { refreshVerifiedListings } from '../../catalog/creators/verified.ts';
import { artifactsInside, refreshListingAliases } from '../../catalog/listings/listing-aliases.ts';
import type { Category, ListedType } from '../../catalog/listings/listing-row.ts';
import { lockSubjects, refreshSearch } from '../../catalog/listings/write-listings.ts';
import { creatorKey, listingKey } from '../../catalog/registry-keys.ts';
import { readLocked } from '../../catalog/registry-locks.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import {
  childrenOf,
  findListedRepository,
  findOwnersProof,
  rewriteListing,
} from './claim-listing.queries.ts';
import { storeIdentity } from './determine-ownership.ts';
import { moveListings } from './ownership.queries.ts';
import type { RepositoryOutcome } from './read-owned-repositories.ts';
import { saveRegistryText } from './registry-text.queries.ts';

/** A listed repository with its creator. */
export interface ListedRepository {
  id: string;
  agentId: string;
  type: ListedType;
  creatorId: string;
  registeredBy: string | null;
}

/** Registration of a listed repository by the repository's owner. */
export interface OwnersRegistration {
  accountId: string;
  host: string;
  repository: string;
  /** Null if the registration names no type. */
  type: ListedType | null;
  name: string;
  description: string;
  category: Category;
  tags: readonly string[];
}

/**
 * Moves a listed repository to the account that has proved the id of its owner, and replaces the listing's texts by the
 * texts of the registration. The former creator stays in the listing's history, and the former texts are stored, to be
 * restored when the proof ends. The caller has called lockRegistry or lockKeys, and scores the listing.
 * - Returns null if the repository is not listed.
 * - Throws already_registered if this account has already registered the repository, if it has not proved the owner's
 *   id, and if the host did not confirm the owner just now, unless the account already has the listing.
 * - Throws invalid_request if the repository is listed as another type.
 */
export async function claimListing(
  connection: Connection,
  by: OwnersRegistration,
  outcome: RepositoryOutcome | null,
): Promise<ListedRepository | null> {
  const listed = await readLocked(
    connection,
    () => findListedRepository(connection, by),
    (found) => (found === null ? [] : [listingKey(found.id), creatorKey(found.creatorId)]),
  );
  if (listed === null) return null;
  const { id, creatorId } = listed;
  const ownId = await ensureAccountCreator(connection, by.accountId);
  const isAlreadyOwners = listed.registeredBy === by.accountId && creatorId === ownId;
  if (isAlreadyOwners) throw alreadyRegistered(listed, by);
  const [inside, children] = [await artifactsInside(connection, [id]), await childrenOf(connection, [id])];
  // Locks the listing, its children and both creators in one step: several steps would not lock them in the order of
  // ids, and could deadlock with charges.
  await lockSubjects(connection, [...new Set([id, ...children, creatorId, ownId])]);
  if (outcome?.kind === 'read') await storeIdentity(connection, id, outcome.reading);
  // If the account already has the listing, for example from the operator, the repository need not be read again.
  await requireOwner(connection, listed, by, outcome?.kind === 'read' || creatorId === ownId);
  await saveRegistryText(connection, id);
  if (creatorId !== ownId) await moveListings(connection, [id], ownId);
  await rewriteListing(connection, id, by);
  await refreshVerifiedListings(connection, [id]);
  await refreshSearch(connection, [id]);
  await refreshListingAliases(connection, [id]);
  await enqueueScoring(connection, inside, [...children, creatorId]);
  return listed;
}

async function requireOwner(
  connection: Connection,
  listed: ListedRepository,
  by: OwnersRegistration,
  isCurrent: boolean,
): Promise<void> {
  const { id, agentId, type } = listed;
  const proof = await findOwnersProof(connection, id, by.accountId);
  if (proof === null) throw alreadyRegistered(listed, by);
  if (proof === 'handle' || !isCurrent) {
    throw new DomainError(
      'already_registered',
      `${by.host}/${by.repository} is already registered as ${agentId}, and ${by.host} did not confirm by its ids that the account you have proved owns that repository. Your claim waits: try again once ${by.host} can be read, or ask the operator to decide it.`,
    );
  }
  if (by.type !== null && by.type !== type) {
    throw new DomainError(
      'invalid_request',
      `It is listed as ${agentId} of the type ${type}, and a type never changes. Leave type out.`,
    );
  }
}

function alreadyRegistered({ agentId }: ListedRepository, { host, repository }: OwnersRegistration) {
  return new DomainError('already_registered', `${host}/${repository} is already registered as ${agentId}.`);
}
