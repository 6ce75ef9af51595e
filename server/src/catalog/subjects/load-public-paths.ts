import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import type { StoredPathParts } from './found-subject.fragment.ts';
import { findPathParts, findPublicHandles } from './found-subject.queries.ts';
import type { PublicUrls } from './public-path.ts';
import { publicPath } from './public-path.ts';

/** Returns the paths of the public pages of these subjects, by id. Unknown subjects have no entry. */
export async function loadPublicPaths(
  connection: Connection,
  subjects: readonly { id: string; type: SubjectType }[],
  publicUrls: PublicUrls,
): Promise<Map<string, string>> {
  return publicPathsOf(await findPathParts(connection, subjects, publicUrls), subjects, publicUrls);
}

/** Returns the paths of the public pages of these subjects, by id, from the rows of `PATH_PARTS`. */
export function publicPathsOf(
  found: readonly StoredPathParts[],
  subjects: readonly { id: string; type: SubjectType }[],
  publicUrls: PublicUrls,
): Map<string, string> {
  const parts = new Map(found.map((each) => [each.id, each]));
  return new Map(
    subjects.flatMap(({ id, type }) => {
      const stored = parts.get(id);
      return stored ? [[id, publicPath({ ...stored, type }, publicUrls)] as const] : [];
    }),
  );
}

/** Creator fields of a list row. */
interface Named {
  creatorId: string;
  creatorHost: string;
}

/**
 * Handles that resolve to exactly one creator, by creator id. A creator without an entry has an unambiguous bare
 * handle.
 */
export type PublicHandles = ReadonlyMap<string, string>;

/**
 * Loads handles of creators whose bare handle may be ambiguous. Handles on the first host are never ambiguous, so
 * creators on this host need no query.
 */
export async function loadPublicHandles(
  connection: Connection,
  shown: readonly Named[],
  publicUrls: PublicUrls,
): Promise<PublicHandles> {
  const others = shown.filter(({ creatorHost }) => creatorHost !== publicUrls.hosts[0]);
  if (others.length === 0) return new Map();
  const ids = [...new Set(others.map(({ creatorId }) => creatorId))];
  const rows = await findPublicHandles(connection, ids, publicUrls);
  return new Map(rows.map(({ id, handle }) => [id, handle]));
}
