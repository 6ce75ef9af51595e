import { loadPublicPaths } from '../../../catalog/subjects/load-public-paths.ts';
import type { PublicUrls } from '../../../catalog/subjects/public-path.ts';
import type { ResolvedSubject } from '../../../catalog/subjects/resolve-subject.ts';
import { loadRelationsOf } from '../../../directory/relations/relation.presenter.ts';
import type { Connection } from '../../../platform/database/connect.ts';
import { DomainError } from '../../../platform/errors/domain-error.ts';
import { PAGE_SIZE, parseOffset } from '../list/page-links.tsx';
import type { Direction } from './linked-relations.ts';
import { linkedSubjects, linkRelations, type ShownGroup } from './linked-relations.ts';

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

/** Parses the list of relations that a query requests; null if it requests none. */
export function parseRelationsQuery(query: Readonly<Record<string, unknown>>) {
  const { relations: kind, direction } = query;
  const known = (['out', 'in', 'both'] as const).find((each) => each === direction);
  if (typeof kind !== 'string' || known === undefined) return null;
  return { kind, direction: known, offset: parseOffset(query) };
}

/** Loads the requested list of relations. Throws not_found if there is none of this kind. */
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
