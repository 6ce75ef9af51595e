import type { Connection } from '../database/connect.ts';
import { type Candidate, DomainError } from '../domain-error.ts';
import { type FoundSubject, findSubjects } from './found-subject.repository.ts';
import { labelsOf } from './labels-of.ts';
import type { Naming } from './naming.ts';
import { publicPath } from './public-path.ts';
import type { SubjectType } from './subject-type.ts';

/** The one subject that a text names. `repository` is null for creators and accounts, `agentId` for all but listings. */
export interface ResolvedSubject {
  id: string;
  type: SubjectType;
  name: string;
  repository: string | null;
  publicPath: string;
  agentId: string | null;
  /** Who brought it here: `registration`, or the first source of its import. */
  source: string;
  /** The registry's own row of it. */
  sourceId: string;
}

const MOST_CANDIDATES = 10;

/**
 * The one subject of the asked type (or types) that `text` names; reads only, creates nothing. An address of its own
 * (id, repository, package, handle) beats one it had before, and that beats a display name, which others may bear too.
 * Throws subject_not_found, or subject_ambiguous with the candidates.
 */
export async function resolveSubject(
  connection: Connection,
  type: SubjectType | readonly SubjectType[],
  text: string,
  naming: Naming,
): Promise<ResolvedSubject> {
  const types = typeof type === 'string' ? [type] : type;
  const asked = types.flatMap((each) =>
    labelsOf(text, each, naming).map((label, place) => ({ label, type: each, place })),
  );
  const found = asked.length === 0 ? [] : await findSubjects(connection, asked, MOST_CANDIDATES, naming);
  const [first, ...others] = found.map((subject) => toResolved(subject, naming));
  if (!first) throw notFound(types);
  if (others.length > 0) throw ambiguous([first, ...others]);
  return first;
}

/** A found subject with the path of its public page. */
export function toResolved(subject: FoundSubject, naming: Naming): ResolvedSubject {
  const { id, type, name, repository, agentId, source, sourceId } = subject;
  return { id, type, name, repository, publicPath: publicPath(subject, naming), agentId, source, sourceId };
}

function notFound(types: readonly SubjectType[]): DomainError {
  const [only] = types;
  const wanted = types.length === 1 && only ? describeType(only) : 'subject';
  return new DomainError('subject_not_found', `No ${wanted} of that name, repository or id is known here.`);
}

function ambiguous(subjects: readonly ResolvedSubject[]): DomainError {
  const candidates: Candidate[] = subjects.map((subject) => ({
    canonical_id: subject.id,
    type: subject.type,
    name: subject.name,
    repository: subject.repository,
    public_path: subject.publicPath,
  }));
  return new DomainError(
    'subject_ambiguous',
    'More than one subject bears that name. Ask again with the canonical id of one of the candidates.',
    { candidates },
  );
}

function describeType(type: SubjectType): string {
  return type.replace('_', ' ');
}
