import {
  artifactsInside,
  packageClaimants,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../../catalog/listings/listing-aliases.ts';
import { lockSubjects } from '../../catalog/listings/write-listings.ts';
import {
  creatorKey,
  hostAccountKeys,
  listingKey,
  nameKey,
  packageKeys,
} from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys, lockMoreKeys, readLocked } from '../../catalog/registry-locks.ts';
import { updateParents } from '../../catalog/relations/lineage-edges.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import { resolveSubject } from '../../catalog/subjects/resolve-subject.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import { REPOSITORY_TYPES } from '../../scoring/subject-type.ts';
import { type ListingDependents, loadListingDependents } from './delisting.queries.ts';
import { deleteListingRows, deleteRelations, storeTombstone } from './tombstone.queries.ts';

const MAX_REASON = 500;

/** Listing to remove, by any of its names, and the public reason. */
export interface DelistRequest {
  text: string;
  reason: string;
  publicUrls: PublicUrls;
}

/**
 * Removes a listing and the artifacts of its repository from the directory: from lists, totals, search, lineage, its
 * creator's portfolio and name resolution. Scores and receipts stay. Imports and registrations cannot add it again.
 * Throws invalid_request, subject_not_found, subject_ambiguous, and gone if it is already delisted.
 */
export async function delistListing(
  database: Database,
  { text, reason: given, publicUrls }: DelistRequest,
): Promise<ListingDependents> {
  const reason = readReason(given);
  return inRegistryTransaction(database, async (connection) => {
    await lockKeys(connection, []);
    const { id, before } = await readLocked(
      connection,
      () => findListed(connection, text, publicUrls),
      ({ id: listingId, before: listed }) => [
        listingKey(listingId),
        nameKey(listed.repository),
        creatorKey(listed.creatorId),
        ...hostAccountKeys(listed.host, listed.hostOwnerId),
        ...packageKeys(listed),
      ],
    );
    const inside = await artifactsInside(connection, [id]);
    await lockSubjects(connection, [id, ...inside, ...before.children]);
    await storeTombstone(connection, id, inside, reason);
    const related = await deleteRelations(connection, id);
    const { changed } = await updateParents(connection, [id, ...before.children, ...related]);
    await deleteListingRows(connection, id);
    const sharers = await refreshPackageAliases(connection, before);
    const dueByLineage = changed.filter((each) => each !== id);
    await enqueueScoring(connection, sharers, [...dueByLineage, before.creatorId]);
    return before;
  });
}

/** Finds a listing by any of its names. */
async function findListed(
  connection: Connection,
  text: string,
  publicUrls: PublicUrls,
): Promise<{ id: string; before: ListingDependents }> {
  const subject = await resolveSubject(connection, REPOSITORY_TYPES, text, publicUrls);
  if (subject.agentId === null)
    throw new DomainError(
      'invalid_request',
      `${subject.name} is inside ${subject.repository}. Only a whole repository can be delisted.`,
    );
  const before = await loadListingDependents(connection, subject.id);
  // Another transaction has delisted the listing since this one found it: search again, which then throws `gone`.
  if (!before) return findListed(connection, text, publicUrls);
  return { id: subject.id, before };
}

/**
 * Updates the aliases of all listings and artifacts that claim the packages. Returns the ids of these listings and
 * artifacts. A package is an alias of a listing only while no other listing claims the package. If one of two claiming
 * listings is removed, the other listing therefore gets the alias.
 */
export async function refreshPackageAliases(
  connection: Connection,
  packages: Pick<ListingDependents, 'npm' | 'pypi'>,
): Promise<string[]> {
  await lockMoreKeys(connection, packageKeys(packages));
  const claimants = await packageClaimants(connection, packages);
  await refreshListingAliases(connection, claimants.listings);
  await refreshArtifactAliases(connection, claimants.artifacts);
  return [...claimants.listings, ...claimants.artifacts];
}

function readReason(text: string): string {
  const reason = text.trim();
  const isFit = reason.length >= 1 && reason.length <= MAX_REASON && !/\p{Cc}/u.test(reason);
  if (isFit && reason.isWellFormed()) return reason;
  throw new DomainError(
    'invalid_request',
    `The reason must be one line of 1 to ${MAX_REASON} characters. It is public.`,
  );
}
