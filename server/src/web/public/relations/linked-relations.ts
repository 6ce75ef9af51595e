import { loadPublicPaths } from '../../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { loadRelationsOf } from '../../../directory/relations/relation.presenter.ts';
import type { ListingRelations, Relation, RelationGroup } from '../../../directory/relations/relations.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import type { SubjectType } from '../../../scoring/subject-type.ts';
import { toWords } from '../../components/formatting.tsx';
import { PAGE_SIZE, parseOffset } from '../list/page-links.tsx';

/** Direction of a relation as seen from the page's subject: from it, to it, or symmetric. */
type Direction = 'out' | 'in' | 'both';

/**
 * Headings by kind and direction. `out` is the heading on the page of the younger subject; for a rename, on the page of
 * the old name.
 */
const HEADINGS: Readonly<Record<string, Partial<Record<Direction, string>>>> = {
  fork_of: { out: 'Fork of', in: 'Forked as' },
  port_of: { out: 'Port of', in: 'Ported as' },
  based_on: { out: 'Based on', in: 'Base of' },
  built_on: { out: 'Built on', in: 'Used to build' },
  copied_from: { out: 'Copied from', in: 'Copied to' },
  duplicate_of: { out: 'Duplicate of', in: 'Duplicated in' },
  inspired_by: { out: 'Inspired by', in: 'Inspired' },
  successor_of: { out: 'Successor to', in: 'Succeeded by' },
  renamed_to: { out: 'Now called', in: 'Formerly' },
  probable_rename_to: { out: 'Probably now called', in: 'Probably formerly' },
  identical_skill_file: { both: 'Same file in' },
  same_tool_manifest: { both: 'Same tools as' },
  same_name_and_description: { both: 'Same name and description as' },
};

/** Labels of lines in drawings, for kinds whose own name is too long or unclear. */
const LINE_LABELS: Readonly<Record<string, string>> = {
  renamed_to: 'renamed',
  probable_rename_to: 'renamed?',
  identical_skill_file: 'same files',
  same_tool_manifest: 'same tools',
  same_name_and_description: 'same words',
};

/** Returns the heading of a relation; that of an unknown kind contains the kind's name. */
export function headingOf(kind: string, direction: Direction): string {
  const words = wordsOf(HEADINGS, kind)?.[direction];
  if (words !== undefined) return words;
  const name = toWords(kind);
  const heading = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return direction === 'in' ? `Named as its “${name}” by` : heading;
}

/**
 * Returns the label of a relation's line. `files` is the number of related files; 0 for a relation of whole
 * repositories.
 */
export function lineLabel(kind: string, files = 0): string {
  const word = wordsOf(LINE_LABELS, kind) ?? toWords(kind);
  return files === 1 ? word.replace(/ files$/, ' file') : word;
}

/** Returns true if the kind of relation implies that the other end is older. */
export function isOlder(kind: string, direction: Direction): boolean {
  const isRename = kind === 'renamed_to' || kind === 'probable_rename_to';
  return direction !== 'both' && (direction === 'in') === isRename;
}

/**
 * Looks up the words of a kind. Reads only own properties, because imported files contain any kind, for example
 * `constructor`.
 */
function wordsOf<Words>(words: Readonly<Record<string, Words>>, kind: string): Words | undefined {
  return Object.hasOwn(words, kind) ? words[kind] : undefined;
}

/** A relation with `path`, the path of the page of its other end; null if the other end has no page. */
export interface ShownRelation extends Relation {
  path: string | null;
  /** Path of the creator's listing that the relation is about, on a creator's page; otherwise null. */
  ownPath: string | null;
}

/** Relations of one kind and direction, as a page shows them. */
export interface ShownGroup extends Omit<RelationGroup, 'shown'> {
  shown: ShownRelation[];
  /** Path of the complete list; null if all are shown. */
  all: string | null;
}

/** Relations of a page's subject. */
export interface PageRelations {
  groups: ShownGroup[];
  firstSeen: (ListingRelations['firstSeen'][number] & { path: string })[];
  skills: number;
  copiedSkills: number;
}

/** Relations of a subject without any. */
export const NO_RELATIONS: PageRelations = { groups: [], firstSeen: [], skills: 0, copiedSkills: 0 };

/** Returns the subjects whose pages the relations link to. */
export function linkedSubjects(
  groups: readonly RelationGroup[],
  firstSeen: ListingRelations['firstSeen'] = [],
): { id: string; type: SubjectType }[] {
  const ends = groups.flatMap(({ shown }) =>
    shown.flatMap(({ own, other }) => (own === null ? [other] : [own, other])),
  );
  return [...ends, ...firstSeen].flatMap(({ id, type }) =>
    id === null || type === null ? [] : [{ id, type }],
  );
}

/** Adds the paths of pages to relations. `own` is the path of the page that shows the relations. */
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
    all: group.others > group.shown.length ? relationsHref(own, group) : null,
  }));
}

/** Returns the path of the complete list of a group. */
export function relationsHref(
  own: string,
  { kind, direction }: Pick<RelationGroup, 'kind' | 'direction'>,
): string {
  return `${own}?${new URLSearchParams({ relations: kind, direction }).toString()}`;
}

/** Subject whose relations a list shows. */
type Related = Pick<ResolvedSubject, 'id' | 'type' | 'agentId' | 'name' | 'publicPath'>;

/** Data of one page of a subject's relations of one kind and direction. */
export interface RelationsPage {
  subject: Related;
  kind: string;
  direction: Direction;
  offset: number;
  /** Relations of this page; null beyond the last page. */
  group: ShownGroup | null;
}

/** Parses a request for a list of relations from a URL's query; null without a kind or without a valid direction. */
export function parseRelationsQuery(query: Readonly<Record<string, unknown>>) {
  const { relations: kind, direction } = query;
  const known = (['out', 'in', 'both'] as const).find((each) => each === direction);
  if (typeof kind !== 'string' || known === undefined) return null;
  return { kind, direction: known, offset: parseOffset(query) };
}

/** Loads a page of the requested list of relations. Throws not_found if it is the first page and has no relations. */
export async function loadRelationsPage(
  connection: Connection,
  subject: Related,
  { kind, direction, offset }: NonNullable<ReturnType<typeof parseRelationsQuery>>,
  publicUrls: PublicUrls,
): Promise<RelationsPage> {
  const asked = { kind, direction, most: PAGE_SIZE, skip: offset };
  const groups = await loadRelationsOf(connection, subject, asked);
  if (groups.length === 0 && offset === 0)
    throw new DomainError('not_found', 'We know of no relation of this kind.');
  const paths = await loadPublicPaths(connection, linkedSubjects(groups), publicUrls);
  const [group = null] = linkRelations(groups, paths, subject.publicPath);
  return { subject, kind, direction, offset, group };
}
