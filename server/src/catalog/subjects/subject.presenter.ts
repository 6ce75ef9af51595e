import type { Subject, ResolvedSubject as WireSubject } from '../../generated/types.gen.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { SubjectType } from '../../scoring/subject-type.ts';
import { presentVerdict } from '../../scoring/verdict/verdict.presenter.ts';
import { type DelistedSubject, findDelisted, findSubjects, findSuccessors } from './found-subject.queries.ts';
import type { PublicUrls } from './public-path.ts';
import { pathById, publicRepository } from './public-path.ts';
import type { ResolvedSubject, SubjectRecord } from './resolve-subject.ts';
import { toResolved } from './resolve-subject.ts';

/** Converts a subject to the API's format. */
export function presentSubject(record: SubjectRecord): Subject {
  return {
    canonical_id: record.id,
    type: record.type,
    agent_id: record.agentId,
    name: record.name,
    repository: record.repository,
    public_path: record.publicPath,
    trustScore: record.trust,
    confidence: record.confidence,
    tier: record.tier,
    score_version: record.scoreVersion,
    verified: record.verified,
    verdict: record.verdict && presentVerdict(record.verdict),
  };
}

/** Converts a subject to its reference in operation results and receipts. */
export function subjectReference(subject: ResolvedSubject): WireSubject {
  return {
    canonical_id: subject.id,
    agent_id: subject.agentId,
    type: subject.type,
    name: subject.name,
    repository: subject.repository,
    public_path: subject.publicPath,
  };
}

/**
 * Loads subjects by id, as `resolveSubject` would return them. Delisted subjects have the data that they had when they
 * were removed. A subject that was merged into another keeps its id, and has the data of the other. Unknown ids have no
 * entry.
 */
export async function loadSubjects(
  connection: Connection,
  subjects: readonly { id: string; type: SubjectType }[],
  publicUrls: PublicUrls,
): Promise<Map<string, ResolvedSubject>> {
  if (subjects.length === 0) return new Map();
  // The lookup returns only the subjects of the lowest place. With one place for all ids, it returns all subjects.
  const asked = subjects.map(({ id, type }) => ({ label: id, type, place: 0 }));
  const found = await findSubjects(connection, asked, asked.length, publicUrls);
  const known = new Map(found.map((subject) => [subject.id, toResolved(subject, publicUrls)]));
  const successors = await findSuccessors(
    connection,
    asked.filter(({ label }) => !known.has(label)),
  );
  if (successors.length > 0) {
    const current = await loadSubjects(connection, successors, publicUrls);
    for (const { former, id } of successors) {
      const successor = current.get(id);
      // A receipt keeps the id under which it was issued.
      if (successor) known.set(former, { ...successor, id: former });
    }
  }
  const missing = asked.filter(({ label }) => !known.has(label));
  if (missing.length > 0) {
    for (const subject of await findDelisted(connection, missing)) {
      known.set(subject.id, toDelistedSubject(subject, publicUrls));
    }
  }
  return known;
}

/** Converts a delisted subject. Its path is that of its page by id, which explains the removal. */
function toDelistedSubject(subject: DelistedSubject, publicUrls: PublicUrls): ResolvedSubject {
  const { id, type, name, agentId, source, sourceId } = subject;
  const repository = publicRepository(subject, publicUrls);
  const publicPath = pathById(subject);
  return { id, type, name, repository, publicPath, agentId, source, sourceId };
}
