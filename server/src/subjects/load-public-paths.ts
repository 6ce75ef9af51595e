import type { Connection } from '../database/connect.ts';
import { findSubjects } from './found-subject.repository.ts';
import type { Naming } from './naming.ts';
import { publicPath } from './public-path.ts';
import type { SubjectType } from './subject-type.ts';

/** Where each of these subjects has its public page, by id; a subject that is not known is not in the answer. */
export async function loadPublicPaths(
  connection: Connection,
  subjects: readonly { id: string; type: SubjectType }[],
  naming: Naming,
): Promise<Map<string, string>> {
  if (subjects.length === 0) return new Map();
  // Ids of one rank: every one of them is found, as one label that many bear would be.
  const asked = subjects.map(({ id, type }) => ({ label: id, type, place: 0 }));
  const found = await findSubjects(connection, asked, asked.length, naming);
  return new Map(found.map((subject) => [subject.id, publicPath(subject, naming)]));
}
