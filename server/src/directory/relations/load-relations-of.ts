import type { Connection } from '../../database/connect.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import { findArtifact } from '../find-artifact.ts';
import type { AskedRelations } from './relations.repository.ts';
import {
  loadCreatorRelations,
  loadFileRelations,
  loadListingGroups,
  type RelationGroup,
} from './relations.ts';

/** What is said of a subject of any type: a listing, a file inside one, or the listings of a creator. Accounts have nothing. */
export async function loadRelationsOf(
  connection: Connection,
  { id, type, agentId }: Pick<ResolvedSubject, 'id' | 'type' | 'agentId'>,
  asked: AskedRelations,
): Promise<RelationGroup[]> {
  if (type === 'creator') return loadCreatorRelations(connection, id, asked);
  if (agentId !== null) return loadListingGroups(connection, id, asked);
  const artifact = await findArtifact(connection, id);
  return artifact ? loadFileRelations(connection, artifact.listing.subjectId, artifact.path, asked) : [];
}

/** What one answer of the API tells of each kind and direction. */
export const TOLD = { kind: null, direction: null, most: 20, skip: 0 };

/** What is told of a subject inside a repository where it is read by its id; null for any other, of which its lineage tells. */
export async function loadRelationsInside(
  connection: Connection,
  subject: Pick<ResolvedSubject, 'id' | 'type' | 'agentId'>,
): Promise<RelationGroup[] | null> {
  const isInside = subject.agentId === null && (subject.type === 'agent' || subject.type === 'skill');
  return isInside ? loadRelationsOf(connection, subject, TOLD) : null;
}
