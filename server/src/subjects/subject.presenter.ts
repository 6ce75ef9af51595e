import type { Subject, ResolvedSubject as WireSubject } from '../generated/types.gen.ts';
import type { SubjectRecord } from './look-up-subject.ts';
import type { ResolvedSubject } from './resolve-subject.ts';

/** A subject in the wire's names. */
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
  };
}

/** How an operation's answer or a receipt names its subject. */
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
