import type { Connection } from '../database/connect.ts';
import type { Naming } from './naming.ts';
import { publicPath } from './public-path.ts';
import { findPathParts } from './public-paths.repository.ts';
import type { SubjectType } from './subject-type.ts';

/** Where each of these subjects has its public page, by id; a subject that is not known is not in the answer. */
export async function loadPublicPaths(
  connection: Connection,
  subjects: readonly { id: string; type: SubjectType }[],
  naming: Naming,
): Promise<Map<string, string>> {
  const found = await findPathParts(connection, subjects, naming);
  return new Map(found.map((parts) => [parts.id, publicPath(parts, naming)]));
}
