import type { Connection } from '../database/connect.ts';
import { DomainError } from '../domain-error.ts';
import { moveListings } from '../registry/creators/ownership.repository.ts';
import { refreshVerifiedListings } from '../registry/creators/verified.ts';
import { artifactsInside, refreshListingAliases } from '../registry/listings/listing-aliases.ts';
import type { Category, ListedType } from '../registry/listings/listing-row.ts';
import { keepRegistryWords } from '../registry/listings/registry-words.repository.ts';
import { lockSubjects, refreshSearch } from '../registry/listings/write-listings.ts';
import { markDue } from '../scoring/score-due.repository.ts';
import {
  isOfFormerBearer,
  isProvedOwner,
  type ListedRepository,
  rewriteListing,
} from './take-over-listing.repository.ts';

/** What the owner of a listed repository says of it now. */
export interface OwnersRegistration {
  accountId: string;
  /** The creator of the account. */
  creatorId: string;
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
 * Gives a listed repository to the account that has proved its owner, with what that account says of it; the former
 * creator stays in its history, and what the registry said is kept for the day when the proof ends. Throws already_registered for anybody else, and for who registered it before;
 * invalid_request where it is listed as another type. The caller has called lockLineage, and scores the listing.
 */
export async function takeOverListing(
  connection: Connection,
  listed: ListedRepository,
  by: OwnersRegistration,
): Promise<void> {
  const { id, agentId, creatorId } = listed;
  const isOwnersWord = listed.registeredBy === by.accountId && creatorId === by.creatorId;
  if (isOwnersWord || !(await isProvedOwner(connection, by))) {
    throw new DomainError(
      'already_registered',
      `${by.host}/${by.repository} is already registered as ${agentId}.`,
    );
  }
  if (await isOfFormerBearer(connection, id, by.accountId)) {
    throw new DomainError(
      'already_registered',
      `${by.host}/${by.repository} is registered as ${agentId} by who owned it under this handle before. It is yours to register once the host shows another repository there; ask the operator if that does not come about.`,
    );
  }
  if (by.type !== null && by.type !== listed.type) {
    throw new DomainError(
      'invalid_request',
      `It is listed as ${agentId} of the type ${listed.type}, and a type never changes. Leave type out.`,
    );
  }
  const [inside, children] = [await artifactsInside(connection, [id]), await childrenOf(connection, id)];
  await lockSubjects(connection, [id, ...children]);
  await keepRegistryWords(connection, id);
  if (creatorId !== by.creatorId) await moveListings(connection, [id], by.creatorId);
  await rewriteListing(connection, id, by);
  await refreshVerifiedListings(connection, [id]);
  await refreshSearch(connection, [id]);
  await refreshListingAliases(connection, [id]);
  await markDue(connection, inside, true);
  await markDue(connection, [...children, creatorId], false);
}

async function childrenOf(connection: Connection, id: string): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM listing WHERE parent_id = $1 ORDER BY 1',
    [id],
  );
  return rows.map((row) => row.id);
}
