import type { Connection } from '../database/connect.ts';
import { findSubjects } from './found-subject.repository.ts';
import type { Naming } from './naming.ts';
import { type ResolvedSubject, toResolved } from './resolve-subject.ts';
import type { SubjectType } from './subject-type.ts';

/** These subjects by their ids, as resolving each id would give them; one that is no longer known is not in the answer. */
export async function loadSubjects(
  connection: Connection,
  subjects: readonly { id: string; type: SubjectType }[],
  naming: Naming,
): Promise<Map<string, ResolvedSubject>> {
  if (subjects.length === 0) return new Map();
  // Ids of one rank: every one of them is found, as one label that many bear would be.
  const asked = subjects.map(({ id, type }) => ({ label: id, type, place: 0 }));
  const found = await findSubjects(connection, asked, asked.length, naming);
  return new Map(found.map((subject) => [subject.id, toResolved(subject, naming)]));
}
