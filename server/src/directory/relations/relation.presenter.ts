import type { ResolvedSubject } from '../../catalog/subjects/resolve-subject.ts';
import type { Relation as WireRelation } from '../../generated/types.gen.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { findArtifact } from '../agents/get-agent.ts';
import type { RelationSelection } from './relations.queries.ts';
import type { Relation, RelationGroup } from './relations.ts';
import { loadCreatorRelations, loadFileRelations, loadListingGroups } from './relations.ts';

/**
 * Loads the relations of a subject of any type: those of a listing, of an artifact's file, or of all listings of a
 * creator. Social and messaging accounts have no relations.
 */
export async function loadRelationsOf(
  connection: Connection,
  { id, type, agentId }: Pick<ResolvedSubject, 'id' | 'type' | 'agentId'>,
  asked: RelationSelection,
): Promise<RelationGroup[]> {
  if (type === 'creator') return loadCreatorRelations(connection, id, asked);
  if (agentId !== null) return loadListingGroups(connection, id, asked);
  const artifact = await findArtifact(connection, id);
  return artifact ? loadFileRelations(connection, artifact.listing.subjectId, artifact.path, asked) : [];
}

/** Selects the relations of one API response: at most 20 of each kind and direction. */
export const API_SELECTION = { kind: null, direction: null, most: 20, skip: 0 };

/**
 * Loads the relations of an artifact, for the API response about this subject. Returns null for other subjects: the API
 * returns the relations of a listing with its lineage.
 */
export async function loadRelationsInside(
  connection: Connection,
  subject: Pick<ResolvedSubject, 'id' | 'type' | 'agentId'>,
): Promise<RelationGroup[] | null> {
  const isInside = subject.agentId === null && (subject.type === 'agent' || subject.type === 'skill');
  return isInside ? loadRelationsOf(connection, subject, API_SELECTION) : null;
}

/** Maximum relations in one response. */
const MAX_RELATIONS = 100;
const DIRECTIONS = { out: 'outgoing', in: 'incoming', both: 'mutual' } as const;

/** Maps relations of a listing, or of a file inside one, to their API fields. */
export function presentRelations(
  groups: readonly RelationGroup[],
  of: 'listing' | 'file' = 'listing',
): WireRelation[] {
  return groups
    .flatMap((group) => group.shown.map((relation) => presentRelation(group, relation, of)))
    .slice(0, MAX_RELATIONS);
}

function presentRelation(
  { kind, direction, others }: RelationGroup,
  relation: Relation,
  of: 'listing' | 'file',
): WireRelation {
  const { other, files, stated, evidence, source, since } = relation;
  return {
    kind,
    direction: DIRECTIONS[direction],
    subject: {
      id: other.agentId,
      repository: other.repository,
      // Omits the path for a listing: the relation may concern several files, and the path would be that of only one.
      ...(of === 'file' && other.path !== null ? { path: other.path } : {}),
    },
    ...(files > 0 ? { files } : {}),
    among: others,
    stated,
    evidence,
    source,
    since,
  };
}
