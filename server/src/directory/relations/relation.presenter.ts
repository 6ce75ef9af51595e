import type { Relation as WireRelation } from '../../generated/types.gen.ts';
import type { Relation, RelationGroup } from './relations.ts';

/** Relations told in one answer. */
const MOST_TOLD = 100;
const DIRECTIONS = { out: 'outgoing', in: 'incoming', both: 'mutual' } as const;

/** What is said of a listing or of a file inside one, under the wire's names. */
export function presentRelations(
  groups: readonly RelationGroup[],
  of: 'listing' | 'file' = 'listing',
): WireRelation[] {
  return groups
    .flatMap((group) => group.shown.map((relation) => presentRelation(group, relation, of)))
    .slice(0, MOST_TOLD);
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
      // Of a listing it is one path of many, and its own.
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
