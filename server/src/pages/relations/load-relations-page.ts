import type { Connection } from '../../database/connect.ts';
import { loadRelationsOf } from '../../directory/relations/load-relations-of.ts';
import { DomainError } from '../../domain-error.ts';
import { loadPublicPaths } from '../../subjects/load-public-paths.ts';
import type { Naming } from '../../subjects/naming.ts';
import type { ResolvedSubject } from '../../subjects/resolve-subject.ts';
import { PAGE_SIZE, readOffset } from '../list/page-query.ts';
import { linkRelations, type ShownGroup, subjectsOf } from './page-relations.ts';
import type { Direction } from './relation-words.ts';

/** Whose relations a list shows. */
type Related = Pick<ResolvedSubject, 'id' | 'type' | 'agentId' | 'name' | 'publicPath'>;

/** One page of everything that is said of a subject, of one kind and direction. */
export interface RelationsPage {
  subject: Related;
  kind: string;
  direction: Direction;
  offset: number;
  /** Null beyond the last page. */
  group: ShownGroup | null;
}

/** Which list a page's query asks for; null where it asks for none. */
export function readAskedList(query: Readonly<Record<string, unknown>>) {
  const { relations: kind, direction } = query;
  const known = (['out', 'in', 'both'] as const).find((each) => each === direction);
  if (typeof kind !== 'string' || known === undefined) return null;
  return { kind, direction: known, offset: readOffset(query) };
}

/** The list that is asked for; throws not_found where nothing of the kind is said at all. */
export async function loadRelationsPage(
  connection: Connection,
  subject: Related,
  { kind, direction, offset }: NonNullable<ReturnType<typeof readAskedList>>,
  naming: Naming,
): Promise<RelationsPage> {
  const asked = { kind, direction, most: PAGE_SIZE, skip: offset };
  const groups = await loadRelationsOf(connection, subject, asked);
  if (groups.length === 0 && offset === 0)
    throw new DomainError('not_found', 'We know of no relation of this kind.');
  const paths = await loadPublicPaths(connection, subjectsOf(groups), naming);
  const [group = null] = linkRelations(groups, paths, subject.publicPath);
  return { subject, kind, direction, offset, group };
}
