import type { Connection } from '../../platform/database/connect.ts';
import { type Candidate, DomainError } from '../../platform/errors/domain-error.ts';
import {
  describeTypes,
  REPOSITORY_TYPES,
  SUBJECT_TYPES,
  type SubjectType,
} from '../../scoring/subject-type.ts';
import { type CurrentScore, loadCurrentScores, NO_SCORE } from './current-score.queries.ts';
import type { FoundSubject, RankedAlias, SubjectLookup } from './found-subject.fragment.ts';
import { type DelistedSubject, findDelisted, findSubjects } from './found-subject.queries.ts';
import { type PublicUrls, publicPath, publicRepository } from './public-path.ts';
import { aliasesOf } from './read-subject.ts';

/**
 * The subject to which a text resolves. `repository` is `owner/repo`, with the host as prefix unless it is the first
 * one in the host order; null for creators and platform accounts. `agentId` is null except for listings.
 */
export interface ResolvedSubject {
  id: string;
  type: SubjectType;
  name: string;
  repository: string | null;
  publicPath: string;
  agentId: string | null;
  /** Source of the subject: `registration`, or the first source of its import. */
  source: string;
  /** Id of the subject's row in its source. */
  sourceId: string;
}

/** A subject that is a repository or inside one. */
export type RepositorySubject = ResolvedSubject & {
  type: (typeof REPOSITORY_TYPES)[number];
  repository: string;
};

/** Returns true if a lineage report can be about the subject. */
export function isInRepository(subject: ResolvedSubject): subject is RepositorySubject {
  return subject.repository !== null && REPOSITORY_TYPES.some((type) => type === subject.type);
}

const MAX_CANDIDATES = 10;

/**
 * Resolves `text` to one subject of the requested type or types. Read-only. Current addresses (id, repository,
 * package, handle) win over former ones, which win over display names. Throws subject_not_found, gone for a delisted
 * subject, or subject_ambiguous with the candidates.
 */
export async function resolveSubject(
  connection: Connection,
  type: SubjectType | readonly SubjectType[],
  text: string,
  publicUrls: PublicUrls,
): Promise<ResolvedSubject> {
  const types = typeof type === 'string' ? [type] : type;
  return requireOneSubject(
    connection,
    types,
    text,
    publicUrls,
    await findNamed(connection, types, text, publicUrls),
  );
}

/** Returns the lookup of `resolveSubject`, for callers that embed it in their own statement. */
export function subjectLookup(
  types: readonly SubjectType[],
  text: string,
  publicUrls: PublicUrls,
): SubjectLookup {
  return { labels: aliasesOfAll(types, text, publicUrls), most: MAX_CANDIDATES, hosts: publicUrls.hosts };
}

/** Returns the only subject that was found; otherwise throws as `resolveSubject` does. */
export async function requireOneSubject(
  connection: Connection,
  types: readonly SubjectType[],
  text: string,
  publicUrls: PublicUrls,
  found: readonly FoundSubject[],
): Promise<ResolvedSubject> {
  const [first, ...others] = found.map((subject) => toResolved(subject, publicUrls));
  if (!first) {
    const asked = aliasesOfAll(types, text, publicUrls);
    throw (await findGone(connection, asked)) ?? (await notFound(connection, types, text, publicUrls));
  }
  if (others.length > 0) throw ambiguous([first, ...others]);
  return first;
}

function aliasesOfAll(types: readonly SubjectType[], text: string, publicUrls: PublicUrls): RankedAlias[] {
  return types.flatMap((type) =>
    aliasesOf(text, type, publicUrls).map((label, place) => ({ label, type, place })),
  );
}

function findNamed(
  connection: Connection,
  types: readonly SubjectType[],
  text: string,
  publicUrls: PublicUrls,
): Promise<FoundSubject[]> {
  const { labels, most } = subjectLookup(types, text, publicUrls);
  return findSubjects(connection, labels, most, publicUrls);
}

/** Adds the public path to a found subject. */
export function toResolved(subject: FoundSubject, publicUrls: PublicUrls): ResolvedSubject {
  const { id, type, name, agentId, source, sourceId } = subject;
  const repository = publicRepository(subject, publicUrls);
  return {
    id,
    type,
    name,
    repository,
    publicPath: publicPath(subject, publicUrls),
    agentId,
    source,
    sourceId,
  };
}

/** Returns the error subject_not_found. If the text names a subject of another type, the error says so. */
async function notFound(
  connection: Connection,
  types: readonly SubjectType[],
  text: string,
  publicUrls: PublicUrls,
): Promise<DomainError> {
  return notFoundAmong(
    types,
    await findNamed(connection, otherTypesThan(types), text, publicUrls),
    publicUrls,
  );
}

/** Returns all other types of subjects than these. */
export function otherTypesThan(types: readonly SubjectType[]): SubjectType[] {
  return SUBJECT_TYPES.filter((each) => !types.includes(each));
}

/** Creates the error subject_not_found. If one subject of another type has the name, the error says so. */
export function notFoundAmong(
  types: readonly SubjectType[],
  [other, ...more]: readonly FoundSubject[],
  publicUrls: PublicUrls,
): DomainError {
  const message = `No ${describeTypes(types)} matches.`;
  if (!other || more.length > 0) return new DomainError('subject_not_found', message);
  return new DomainError('subject_not_found', `${message} ${describeOther(toResolved(other, publicUrls))}.`, {
    otherType: other.type,
  });
}

function describeOther({ type, repository, publicPath }: ResolvedSubject): string {
  const article = /^[aeiou]/.test(type) ? 'an' : 'a';
  return `"${repository ?? publicPath}" is ${article} ${describeTypes([type])}`;
}

/** Creates the error subject_ambiguous with the subjects as candidates. */
export function ambiguous(subjects: readonly ResolvedSubject[]): DomainError {
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

/** A subject with its current score. */
export interface SubjectRecord extends ResolvedSubject, CurrentScore {}

/**
 * Resolves a text to one subject, of the given type or of any, and loads its current score. Read-only. Throws
 * subject_not_found, gone for a delisted subject, or subject_ambiguous with the candidates.
 */
export async function lookUpSubject(
  connection: Connection,
  text: string,
  type: SubjectType | null,
  publicUrls: PublicUrls,
): Promise<SubjectRecord> {
  const subject = await resolveSubject(connection, type ?? SUBJECT_TYPES, text, publicUrls);
  const scores = await loadCurrentScores(connection, [subject.id]);
  return { ...subject, ...(scores.get(subject.id) ?? NO_SCORE) };
}

/** Public facts about a repository that an operator removed from the directory. */
export type Delisted = Pick<DelistedSubject, 'host' | 'repository' | 'day' | 'reason'>;

/** Returns one sentence that says which repository was removed, when and why. */
export function describeDelisting({ host, repository, day, reason }: Delisted): string {
  const stop = /[.!?]$/.test(reason) ? '' : '.';
  return `${host}/${repository} was removed by the operator of this directory on ${day}: ${reason}${stop}`;
}

/** Creates the error for a request that names a delisted subject. */
export function goneError(delisted: Delisted): DomainError {
  return new DomainError('gone', describeDelisting(delisted));
}

/**
 * Returns the delisted listings that a text names. If several of its aliases match, only the highest-ranked counts.
 * Skips artifacts inside delisted repositories.
 */
export async function findDelistedListings(
  connection: Connection,
  text: string,
  publicUrls: PublicUrls,
): Promise<DelistedSubject[]> {
  const asked = REPOSITORY_TYPES.flatMap((type) =>
    aliasesOf(text, type, publicUrls).map((label, place) => ({ label, type, place })),
  );
  const found = asked.length === 0 ? [] : await findDelisted(connection, asked);
  return found.filter(({ agentId }) => agentId !== null);
}

/** Returns a `gone` error if one of the aliases belongs to a delisted subject; otherwise null. */
export async function findGone(
  connection: Connection,
  asked: readonly RankedAlias[],
): Promise<DomainError | null> {
  if (asked.length === 0) return null;
  const [first] = await findDelisted(connection, asked);
  return first ? goneError(first) : null;
}
