import type { FirstSeen, Relation, RelationGroup } from '../../directory/relations/relations.ts';
import type { SubjectType } from '../../subjects/subject-type.ts';

/** A relation with the page of its other end; null where that has none. */
export interface ShownRelation extends Relation {
  path: string | null;
  /** The page of the creator's own listing. */
  ownPath: string | null;
}

/** What a page shows of one kind and direction. */
export interface ShownGroup extends Omit<RelationGroup, 'shown'> {
  shown: ShownRelation[];
  /** Where the list of all is; null where all are shown. */
  all: string | null;
}

/** What a page shows of its subject's relations. */
export interface PageRelations {
  groups: ShownGroup[];
  firstSeen: (FirstSeen & { path: string })[];
  skills: number;
  copiedSkills: number;
}

/** No relation at all. */
export const NO_RELATIONS: PageRelations = { groups: [], firstSeen: [], skills: 0, copiedSkills: 0 };

/** The subjects whose pages are linked to. */
export function subjectsOf(
  groups: readonly RelationGroup[],
  firstSeen: readonly FirstSeen[] = [],
): { id: string; type: SubjectType }[] {
  const ends = groups.flatMap(({ shown }) =>
    shown.flatMap(({ own, other }) => (own === null ? [other] : [own, other])),
  );
  return [...ends, ...firstSeen].flatMap(({ id, type }) =>
    id === null || type === null ? [] : [{ id, type }],
  );
}

/** Gives each its page. `own` is the path of the page that shows them. */
export function linkRelations(
  groups: readonly RelationGroup[],
  paths: ReadonlyMap<string, string>,
  own: string,
): ShownGroup[] {
  return groups.map((group) => ({
    ...group,
    shown: group.shown.map((relation) => ({
      ...relation,
      path: relation.other.id === null ? null : (paths.get(relation.other.id) ?? null),
      ownPath: relation.own && (paths.get(relation.own.id) ?? null),
    })),
    all: group.others > group.shown.length ? allOf(own, group) : null,
  }));
}

/** The address of the list of all relations of a group. */
export function allOf(own: string, { kind, direction }: Pick<RelationGroup, 'kind' | 'direction'>): string {
  return `${own}?${new URLSearchParams({ relations: kind, direction }).toString()}`;
}
