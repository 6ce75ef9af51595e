import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { ensureAccountCreator } from '../registry/creators/account-creator.ts';
import { refreshVerifiedListings } from '../registry/creators/verified.ts';
import { artifactsInside, refreshListingAliases } from '../registry/listings/listing-aliases.ts';
import type { Category, ListedType } from '../registry/listings/listing-row.ts';
import { lockSubjects, refreshSearch } from '../registry/listings/write-listings.ts';
import { requireLineageAlone } from '../registry/relations/lineage-edges.ts';
import { noteScoreDue } from '../scoring/note-score-due.ts';
import { childrenOf } from './listed-family.repository.ts';
import { moveListings } from './ownership.repository.ts';
import type { RepositoryOutcome } from './read-owned-repositories.ts';
import { keepRegistryWords } from './registry-words.repository.ts';
import { settleIdentity } from './settle-ownership.ts';
import { findListedRepository, findOwnersProof, rewriteListing } from './take-over-listing.repository.ts';

/** A repository that is listed, and whose it is. */
export interface ListedRepository {
  id: string;
  agentId: string;
  type: ListedType;
  creatorId: string;
  registeredBy: string | null;
}

/** What the owner of a listed repository says of it now. */
export interface OwnersRegistration {
  accountId: string;
  host: string;
  repository: string;
  /** Null where the owner does not say. */
  type: ListedType | null;
  name: string;
  description: string;
  category: Category;
  tags: readonly string[];
}

/**
 * Gives a listed repository to the account that has proved the id of its owner, with what that account says of it; the former
 * creator stays in its history, and what the registry said is kept for the day when the proof ends. Null where the
 * repository is not listed. Throws already_registered for anybody else, and for who registered it before; invalid_request
 * where it is listed as another type. The caller has called lockLineage, and scores the listing.
 */
export async function takeOverListing(
  connection: Connection,
  by: OwnersRegistration,
  outcome: RepositoryOutcome | null,
): Promise<ListedRepository | null> {
  const listed = await findListedRepository(connection, by);
  if (listed === null) return null;
  const { id, creatorId } = listed;
  const ownId = await ensureAccountCreator(connection, by.accountId);
  const isOwnersWord = listed.registeredBy === by.accountId && creatorId === ownId;
  if (isOwnersWord) throw alreadyRegistered(listed, by);
  await lockSubjects(connection, [id]);
  if (outcome?.kind === 'read') await settleIdentity(connection, id, outcome.reading);
  // What the operator has given to the account need not be read again.
  await requireOwner(connection, listed, by, outcome?.kind === 'read' || creatorId === ownId);
  requireLineageAlone(connection);
  const [inside, children] = [await artifactsInside(connection, [id]), await childrenOf(connection, [id])];
  await lockSubjects(connection, [id, ...children]);
  await keepRegistryWords(connection, id);
  if (creatorId !== ownId) await moveListings(connection, [id], ownId);
  await rewriteListing(connection, id, by);
  await refreshVerifiedListings(connection, [id]);
  await refreshSearch(connection, [id]);
  await refreshListingAliases(connection, [id]);
  await noteScoreDue(connection, inside, [...children, creatorId]);
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
