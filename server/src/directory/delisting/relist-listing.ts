import type { Connection, Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { DomainError } from '../../domain-error.ts';
import { refreshVerifiedListings } from '../../registry/creators/verified.ts';
import {
  artifactsInside,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../../registry/listings/listing-aliases.ts';
import { lockSubjects, refreshSearch } from '../../registry/listings/write-listings.ts';
import { lockLineage, updateParents } from '../../registry/relations/lineage-edges.ts';
import { linkMissingEnds } from '../../registry/relations/relation-ends.ts';
import { noteScoreDue } from '../../scoring/note-score-due.ts';
import { findDelistedListings } from '../../subjects/delisted.ts';
import type { Naming } from '../../subjects/naming.ts';
import { sharePackages } from './delist-listing.ts';
import {
  endDelisting,
  findLasting,
  loadFormerRepositories,
  loadRelated,
  loadSurroundings,
  type StoredDelisting,
  type Surroundings,
} from './delisting.repository.ts';
import { findNamesake, restoreAcknowledgements, restoreRows } from './kept-rows.repository.ts';

/**
 * Brings a delisted listing back as it was, under its old ids, with what is inside its repository; parents, packages and
 * proofs are judged as of now. Throws subject_not_found, subject_ambiguous, and already_registered where another listing
 * has the repository's name by now.
 */
export async function relistListing(
  database: Database,
  text: string,
  naming: Naming,
): Promise<Surroundings & { subjectId: string }> {
  return inTransaction(database, async (connection) => {
    await lockLineage(connection);
    const delisting = await findByName(connection, text, naming);
    await requireFree(connection, delisting);
    const { id: delistingId, subjectId } = delisting;
    await restoreRows(connection, delistingId);
    const inside = await artifactsInside(connection, [subjectId]);
    await lockSubjects(connection, [subjectId, ...inside]);
    const back = await loadSurroundings(connection, subjectId);
    if (!back) throw new Error('a listing that was just restored has no row');
    await refreshListingAliases(connection, [subjectId]);
    await refreshArtifactAliases(connection, inside);
    const sharers = await sharePackages(connection, back);
    const changed = await joinFamily(connection, subjectId, back.repository);
    await restoreAcknowledgements(connection, delistingId);
    await refreshVerifiedListings(connection, [subjectId]);
    await refreshSearch(connection, [subjectId]);
    await endDelisting(connection, delistingId);
    await noteScoreDue(connection, [subjectId, ...inside, ...sharers], [...changed, back.creatorId]);
    return { ...back, subjectId };
  });
}

async function findByName(connection: Connection, text: string, naming: Naming): Promise<StoredDelisting> {
  const listings = await findDelistedListings(connection, text, naming);
  const [first, ...others] = listings;
  if (others.length > 0)
    throw new DomainError(
      'subject_ambiguous',
      `Several delisted listings have this name:  ${listings.map(({ agentId }) => agentId).join(', ')}. Name one of them.`,
    );
  const delisting = first && (await findLasting(connection, first.id));
  if (!delisting) throw new DomainError('subject_not_found', 'No delisted listing has this name.');
  return delisting;
}

async function requireFree(connection: Connection, { host, repository }: StoredDelisting): Promise<void> {
  const agentId = await findNamesake(connection, { host, repository });
  if (agentId === null) return;
  throw new DomainError(
    'already_registered',
    `${host}/${repository} is listed as ${agentId} by now, another repository of that name. Delist that one first.`,
  );
}

/** Its relations are back; those that came meanwhile get their missing end. Answers whose parent is another one now. */
async function joinFamily(connection: Connection, id: string, repository: string): Promise<string[]> {
  const former = await loadFormerRepositories(connection, id);
  const linked = await linkMissingEnds(
    connection,
    [repository, ...former].map((name) => ({ id, repository: name })),
  );
  const related = await loadRelated(connection, id);
  const { changed } = await updateParents(connection, [id, ...linked, ...related]);
  return changed.filter((each) => each !== id);
}
