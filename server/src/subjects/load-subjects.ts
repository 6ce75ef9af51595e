import type { Connection } from '../database/connect.ts';
import { type DelistedSubject, findDelisted } from './delisted-subject.repository.ts';
import { findSubjects } from './found-subject.repository.ts';
import type { Naming } from './naming.ts';
import { pathById, publicRepository } from './public-path.ts';
import { type ResolvedSubject, toResolved } from './resolve-subject.ts';
import type { SubjectType } from './subject-type.ts';

/**
 * These subjects by their ids, as resolving each id would give them, and delisted ones as they were; one that is no longer
 * known is not in the answer.
 */
export async function loadSubjects(
  connection: Connection,
  subjects: readonly { id: string; type: SubjectType }[],
  naming: Naming,
): Promise<Map<string, ResolvedSubject>> {
  if (subjects.length === 0) return new Map();
  // Ids of one rank: every one of them is found, as one label that many have would be.
  const asked = subjects.map(({ id, type }) => ({ label: id, type, place: 0 }));
  const found = await findSubjects(connection, asked, asked.length, naming);
  const known = new Map(found.map((subject) => [subject.id, toResolved(subject, naming)]));
  const missing = asked.filter(({ label }) => !known.has(label));
  if (missing.length > 0) {
    for (const subject of await findDelisted(connection, missing)) {
      known.set(subject.id, asItWas(subject, naming));
    }
  }
  return known;
}

/** Its page by id says why it is gone. */
function asItWas(subject: DelistedSubject, naming: Naming): ResolvedSubject {
  const { id, type, name, agentId, source, sourceId } = subject;
  const repository = publicRepository(subject, naming);
  const publicPath = pathById(subject);
  return { id, type, name, repository, publicPath, agentId, source, sourceId };
}
