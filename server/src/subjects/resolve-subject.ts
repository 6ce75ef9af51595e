import type { Connection } from '../database/connect.ts';
import { type Candidate, DomainError } from '../domain-error.ts';
import { findGone } from './delisted.ts';
import type { AskedLabel, FoundSubject, SubjectQuestion } from './found-subject.condition.ts';
import { findSubjects } from './found-subject.repository.ts';
import { labelsOf } from './labels-of.ts';
import type { Naming } from './naming.ts';
import { publicPath, publicRepository } from './public-path.ts';
import { describeTypes, REPOSITORY_TYPES, SUBJECT_TYPES, type SubjectType } from './subject-type.ts';

/**
 * The one subject that a text names. `repository` is `owner/repo`, with its host where that is not the first one, and null
 * for creators and accounts; `agentId` is null for all but listings.
 */
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

/** One that has its place in a repository. */
export type RepositorySubject = ResolvedSubject & {
  type: (typeof REPOSITORY_TYPES)[number];
  repository: string;
};

/** Whether a lineage report can be about it. */
export function isInRepository(subject: ResolvedSubject): subject is RepositorySubject {
  return subject.repository !== null && REPOSITORY_TYPES.some((type) => type === subject.type);
}

const MOST_CANDIDATES = 10;

/**
 * The one subject of the asked type (or types) that `text` names; reads only, creates nothing. An address of its own
 * (id, repository, package, handle) beats one it had before, and that beats a display name, which others may have too.
 * Throws subject_not_found, gone for a subject that was delisted, or subject_ambiguous with the candidates.
 */
export async function resolveSubject(
  connection: Connection,
  type: SubjectType | readonly SubjectType[],
  text: string,
  naming: Naming,
): Promise<ResolvedSubject> {
  const types = typeof type === 'string' ? [type] : type;
  return theOneFound(connection, types, text, naming, await findNamed(connection, types, text, naming));
}

/** What `resolveSubject` looks up, for who looks it up by a statement of their own. */
export function questionOf(types: readonly SubjectType[], text: string, naming: Naming): SubjectQuestion {
  return { labels: labelsAsked(types, text, naming), most: MOST_CANDIDATES, hosts: naming.hosts };
}

/** Of what was found for a text, what `resolveSubject` says of it. */
export async function theOneFound(
  connection: Connection,
  types: readonly SubjectType[],
  text: string,
  naming: Naming,
  found: readonly FoundSubject[],
): Promise<ResolvedSubject> {
  const [first, ...others] = found.map((subject) => toResolved(subject, naming));
  if (!first) {
    const asked = labelsAsked(types, text, naming);
    throw (await findGone(connection, asked)) ?? (await notFound(connection, types, text, naming));
  }
  if (others.length > 0) throw ambiguous([first, ...others]);
  return first;
}

function labelsAsked(types: readonly SubjectType[], text: string, naming: Naming): AskedLabel[] {
  return types.flatMap((type) =>
    labelsOf(text, type, naming).map((label, place) => ({ label, type, place })),
  );
}

function findNamed(
  connection: Connection,
  types: readonly SubjectType[],
  text: string,
  naming: Naming,
): Promise<FoundSubject[]> {
  const { labels, most } = questionOf(types, text, naming);
  return findSubjects(connection, labels, most, naming);
}

/** A found subject with the path of its public page. */
export function toResolved(subject: FoundSubject, naming: Naming): ResolvedSubject {
  const { id, type, name, agentId, source, sourceId } = subject;
  const repository = publicRepository(subject, naming);
  return { id, type, name, repository, publicPath: publicPath(subject, naming), agentId, source, sourceId };
}

/** Looks once more, among the other types: who names an agent where a skill is asked for is told so. */
async function notFound(
  connection: Connection,
  types: readonly SubjectType[],
  text: string,
  naming: Naming,
): Promise<DomainError> {
  const otherTypes = SUBJECT_TYPES.filter((each) => !types.includes(each));
  const [other, ...more] = await findNamed(connection, otherTypes, text, naming);
  const message = `No ${describeTypes(types)} matches.`;
  if (!other || more.length > 0) return new DomainError('subject_not_found', message);
  return new DomainError('subject_not_found', `${message} ${describeOther(toResolved(other, naming))}.`, {
    otherType: other.type,
  });
}

function describeOther({ type, repository, publicPath }: ResolvedSubject): string {
  const article = /^[aeiou]/.test(type) ? 'an' : 'a';
  return `"${repository ?? publicPath}" is ${article} ${describeTypes([type])}`;
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
    'Several subjects have this name. Send the canonical_id of one of the candidates as subject.',
    { candidates },
  );
}
