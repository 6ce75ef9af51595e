import type { Connection, Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import { DomainError } from '../../domain-error.ts';
import {
  artifactsInside,
  namersOf,
  refreshArtifactAliases,
  refreshListingAliases,
} from '../../registry/listings/listing-aliases.ts';
import { lockSubjects } from '../../registry/listings/write-listings.ts';
import { lockLineage, updateParents } from '../../registry/relations/lineage-edges.ts';
import { noteScoreDue } from '../../scoring/note-score-due.ts';
import type { Naming } from '../../subjects/naming.ts';
import { resolveSubject } from '../../subjects/resolve-subject.ts';
import { REPOSITORY_TYPES } from '../../subjects/subject-type.ts';
import { loadSurroundings, type Surroundings } from './delisting.repository.ts';
import { deleteRelations, deleteRows, keepRows } from './kept-rows.repository.ts';

const LONGEST_REASON = 500;

/** Which listing is to go, by any of its names, and why: everybody who asks for it is told. */
export interface DelistRequest {
  text: string;
  reason: string;
  naming: Naming;
}

/**
 * Takes a listing out of the directory with all that is inside its repository: out of lists, totals, search, lineage, its
 * creator's portfolio and the resolver. Its scores and receipts stay; an import or a registration does not bring it back.
 * Throws invalid_request, subject_not_found, subject_ambiguous, and gone where it was delisted before.
 */
export async function delistListing(
  database: Database,
  { text, reason: given, naming }: DelistRequest,
): Promise<Surroundings> {
  const reason = readReason(given);
  return inTransaction(database, async (connection) => {
    // First of all locks on the registry, as everywhere.
    await lockLineage(connection);
    const subject = await resolveSubject(connection, REPOSITORY_TYPES, text, naming);
    if (subject.agentId === null)
      throw new DomainError(
        'invalid_request',
        `${subject.name} is inside ${subject.repository}. Only a whole repository can be delisted.`,
      );
    const { id } = subject;
    const inside = await artifactsInside(connection, [id]);
    const before = await loadSurroundings(connection, id);
    if (!before) throw new Error('a listing that was just found has no row');
    await lockSubjects(connection, [id, ...inside, ...before.children]);
    await keepRows(connection, id, inside, reason);
    const related = await deleteRelations(connection, id);
    const { changed } = await updateParents(connection, [id, ...before.children, ...related]);
    await deleteRows(connection, id);
    const sharers = await sharePackages(connection, before);
    const dueByLineage = changed.filter((each) => each !== id);
    await noteScoreDue(connection, sharers, [...dueByLineage, before.creatorId]);
    return before;
  });
}

/** Names and downloads of packages are those of the one listing that names them: leaving, it may make them another's. */
export async function sharePackages(
  connection: Connection,
  packages: Pick<Surroundings, 'npm' | 'pypi'>,
): Promise<string[]> {
  const namers = await namersOf(connection, packages);
  await refreshListingAliases(connection, namers.listings);
  await refreshArtifactAliases(connection, namers.artifacts);
  return [...namers.listings, ...namers.artifacts];
}

function readReason(text: string): string {
  const reason = text.trim();
  const isFit = reason.length >= 1 && reason.length <= LONGEST_REASON && !/\p{Cc}/u.test(reason);
  if (isFit && reason.isWellFormed()) return reason;
  throw new DomainError(
    'invalid_request',
    `The reason must be one line of 1 to ${LONGEST_REASON} characters. It is public.`,
  );
}
