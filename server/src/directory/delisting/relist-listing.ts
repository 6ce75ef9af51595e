import { refreshVerifiedListings } from '../../catalog/creators/verified.ts';
import {
  artifactsInside,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../../catalog/listings/listing-aliases.ts';
import { lockSubjects, refreshSearch } from '../../catalog/listings/write-listings.ts';
import { refreshPackages } from '../../catalog/packages/decide-packages.ts';
import { creatorKey, hostAccountKeys, listingKey, nameKey } from '../../catalog/registry-keys.ts';
import { inRegistryTransaction, lockKeys, readLocked } from '../../catalog/registry-locks.ts';
import { updateParents } from '../../catalog/relations/lineage-edges.ts';
import { linkMissingEnds } from '../../catalog/relations/relation-ends.ts';
import type { PublicUrls } from '../../catalog/subjects/public-path.ts';
import { findDelistedListings } from '../../catalog/subjects/resolve-subject.ts';
import type { Connection, Database } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { enqueueScoring } from '../../scoring/queue/enqueue-scoring.ts';
import { refreshPackageAliases } from './delist-listing.ts';
import {
  endDelisting,
  findActiveDelisting,
  findDelistings,
  type ListingDependents,
  loadFormerRepositories,
  loadListingDependents,
  loadRelatedListings,
  loadTombstoneReferences,
  type StoredDelisting,
} from './delisting.queries.ts';
import { findListingNamed, restoreAcknowledgements, restoreTombstone } from './tombstone.queries.ts';

/**
 * Restores a delisted listing with its ids and artifacts. Its parent, packages and verified flag are determined again
 * from current data. Throws subject_not_found, subject_ambiguous, and already_registered if another listing has the
 * repository's name now.
 */
export async function relistListing(
  database: Database,
  text: string,
  publicUrls: PublicUrls,
): Promise<ListingDependents & { subjectId: string }> {
  return inRegistryTransaction(database, async (connection) => {
    await lockKeys(connection, []);
    const delisting = await lockDelisting(connection, text, publicUrls);
    await requireNameFree(connection, delisting);
    const { id: delistingId, subjectId } = delisting;
    await restoreTombstone(connection, delistingId);
    const inside = await artifactsInside(connection, [subjectId]);
    await lockSubjects(connection, [subjectId, ...inside]);
    const packages = await refreshPackages(connection, [subjectId]);
    const back = await loadListingDependents(connection, subjectId);
    if (!back) throw new Error('a listing that was just restored has no row');
    await packages.storeAliases();
    await refreshListingAliases(connection, [subjectId]);
    await refreshArtifactAliases(connection, inside);
    const sharers = await refreshPackageAliases(connection, back);
    const changed = await rejoinFamily(connection, subjectId, back.repository);
    await restoreAcknowledgements(connection, delistingId);
    await refreshVerifiedListings(connection, [subjectId]);
    await refreshSearch(connection, [subjectId]);
    await endDelisting(connection, delistingId);
    await enqueueScoring(
      connection,
      [subjectId, ...inside, ...sharers, ...packages.due],
      [...changed, back.creatorId],
    );
    return { ...back, subjectId };
  });
}

/** Finds a delisting by a name of its listing, and locks everything that restoring the listing changes. */
async function lockDelisting(
  connection: Connection,
  text: string,
  publicUrls: PublicUrls,
): Promise<StoredDelisting> {
  const { delisting } = await readLocked(
    connection,
    async () => {
      const found = await findByName(connection, text, publicUrls);
      return { delisting: found, references: await loadTombstoneReferences(connection, found.id) };
    },
    ({ delisting: { subjectId, host, repository }, references }) => [
      ...[subjectId, ...references.related].map(listingKey),
      ...[repository, ...references.formerRepositories].map(nameKey),
      ...references.creatorIds.map(creatorKey),
      ...hostAccountKeys(host, references.hostOwnerId),
    ],
  );
  return delisting;
}

async function findByName(
  connection: Connection,
  text: string,
  publicUrls: PublicUrls,
): Promise<StoredDelisting> {
  const listings = await findDelistedListings(connection, text, publicUrls);
  const [first, ...others] = listings;
  if (others.length > 0)
    throw new DomainError(
      'subject_ambiguous',
      `Several delisted listings have this name. Use one of these ids: ${listings.map(({ agentId }) => agentId).join(', ')}.`,
    );
  const delisting = first && (await findActiveDelisting(connection, first.id));
  if (!delisting) throw new DomainError('subject_not_found', 'No delisted listing has this name.');
  return delisting;
}

async function requireNameFree(connection: Connection, { host, repository }: StoredDelisting): Promise<void> {
  const agentId = await findListingNamed(connection, { host, repository });
  if (agentId === null) return;
  throw new DomainError(
    'already_registered',
    `Another repository named ${host}/${repository} is listed as ${agentId}. Delist it first.`,
  );
}

/**
 * Connects the listing with relations that were added since the delisting, then chooses parents again. Returns other
 * listings whose parent changed.
 */
async function rejoinFamily(connection: Connection, id: string, repository: string): Promise<string[]> {
  const former = await loadFormerRepositories(connection, id);
  const linked = await linkMissingEnds(
    connection,
    [repository, ...former].map((name) => ({ id, repository: name })),
  );
  const related = await loadRelatedListings(connection, id);
  const { changed } = await updateParents(connection, [id, ...linked, ...related]);
  return changed.filter((each) => each !== id);
}

/** A past or active delisting. */
export interface Delisting {
  agentId: string;
  host: string;
  repository: string;
  reason: string;
  /** Date in UTC, such as `2026-11-22`. */
  day: string;
  /** Date in UTC; null while delisted. */
  relistedOn: string | null;
}

/** Lists all delistings, latest first, including ended ones. */
export async function listDelistings(connection: Connection): Promise<Delisting[]> {
  const stored = await findDelistings(connection);
  return stored.map(({ agentId, host, repository, reason, delistedAt, relistedAt }) => ({
    agentId,
    host,
    repository,
    reason,
    day: dayOf(delistedAt),
    relistedOn: relistedAt && dayOf(relistedAt),
  }));
}

function dayOf(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}
