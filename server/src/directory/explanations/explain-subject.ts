import { type ListingFlags, loadListingFlags } from '../../catalog/relations/listing-flags.ts';
import { type PublicUrls, publicPath } from '../../catalog/subjects/public-path.ts';
import { type ResolvedSubject, resolveSubject } from '../../catalog/subjects/resolve-subject.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { DomainError } from '../../platform/errors/domain-error.ts';
import { isUtcText } from '../../platform/text/request-text.ts';
import { compareScores, type ScoreDifference } from '../../scoring/explanations/compare-scores.ts';
import {
  type Explanation,
  explainScore,
  mostWantedFact,
  type WantedFact,
} from '../../scoring/explanations/explain-score.ts';
import {
  adviceStableForMs,
  type Improvement,
  improvementsOfScore,
} from '../../scoring/improvements/find-improvements.ts';
import { SUBJECT_TYPES } from '../../scoring/subject-type.ts';
import type { AgentRecord } from '../agents/agent-record.ts';
import {
  type ExplainedRow,
  findExplained,
  findVersions,
  type ListedVersion,
  listVersions,
  type StoredPlaces,
  type StoredVersion,
} from './score-versions.queries.ts';
import type { SourceLinks } from './signal-sources.ts';

/** A subject's score with the data that explains it. */
export interface ExplainedSubject {
  subject: ResolvedSubject;
  /** Null for a subject without a stored score. */
  score: ExplainedVersion | null;
  places: SourceLinks;
  /** Facts of a listing by which a container is recognised; null for other subjects. */
  listing: Pick<AgentRecord, 'repositoryUrl' | 'kind' | 'description' | 'partCount'> | null;
  /** Listing that supersedes this one, and the flags of this one; null if none supersedes it. */
  superseding: { flags: ListingFlags; subject: ResolvedSubject } | null;
}

interface ExplainedVersion extends Explanation {
  stored: StoredVersion;
  isCurrent: boolean;
  /** Actions of an owner that raise the score, least effort first; empty for an earlier score. */
  improvements: readonly Improvement[];
  wanted: WantedFact | null;
}

/**
 * Explains a subject's score: the one that was current at the time `at`, or the present one if `at` is null. Sends two
 * read statements, and up to two more for a listing with related ones. Throws subject_not_found, gone for a delisted
 * subject, and not_found if the subject had no score at the time `at`.
 */
export async function explainSubject(
  connection: Connection,
  subjectId: string,
  at: string | null,
  publicUrls: PublicUrls,
): Promise<ExplainedSubject> {
  const subject = await resolveSubject(connection, SUBJECT_TYPES, subjectId, publicUrls);
  const row = await findExplained(connection, subject.id, at, stableForMs);
  if (row.score === null && at !== null) throw noVersion(at);
  return {
    subject,
    score: row.score && {
      ...explainScore(row.score),
      stored: row.score,
      isCurrent: row.isCurrent === true,
      improvements: row.isCurrent === true ? improvementsOf(row.score, row.places) : [],
      wanted: mostWantedFact(row.score),
    },
    places: linksOf(subject, row.places, publicUrls),
    listing: listingOf(row.places),
    superseding: await findSuperseding(connection, row.places, publicUrls),
  };
}

function listingOf({ isPart, repositoryUrl, kind, description, partCount }: StoredPlaces) {
  if (isPart || repositoryUrl === null || kind === null || description === null) return null;
  return { repositoryUrl, kind, description, partCount };
}

/** Finds the listing that replaces this one: the same repository under a newer name, or the original of a copy. */
async function findSuperseding(
  connection: Connection,
  { isPart, listingId, mayHaveFlags }: StoredPlaces,
  publicUrls: PublicUrls,
): Promise<ExplainedSubject['superseding']> {
  if (isPart || listingId === null || !mayHaveFlags) return null;
  const flags = (await loadListingFlags(connection, [listingId])).get(listingId);
  const other = flags?.newer ?? flags?.copyOf;
  if (flags === undefined || !other) return null;
  return { flags, subject: await resolveSubject(connection, SUBJECT_TYPES, other.id, publicUrls) };
}

function stableForMs({ score, places }: ExplainedRow): number {
  return score === null ? Number.POSITIVE_INFINITY : adviceStableForMs(score.facts, new Date(places.readAt));
}

function improvementsOf(score: StoredVersion, places: StoredPlaces): Improvement[] {
  const { isPart, npmPackage, pypiPackage, isNpmConfirmed, isPypiConfirmed } = places;
  return improvementsOfScore({
    ...score,
    isPart,
    // Only a confirmed package belongs to the repository's owner.
    npmPackage: isNpmConfirmed ? npmPackage : null,
    pypiPackage: isPypiConfirmed ? pypiPackage : null,
    scoredAt: new Date(score.version),
    readAt: new Date(places.readAt),
  });
}

/** Returns links to the sources where the facts can be checked, and to the pages of the subject and its creator. */
function linksOf(
  { id, publicPath: path }: ResolvedSubject,
  places: StoredPlaces,
  publicUrls: PublicUrls,
): SourceLinks {
  const { host, repositoryUrl, npmPackage, agentId, creatorId, creatorHost, creatorHandle, addresses } =
    places;
  const creator =
    creatorId === null || creatorHost === null || creatorHandle === null
      ? null
      : {
          handle: creatorHandle,
          // A path that includes the host always leads to this creator. Without the host, a query would be needed to
          // find out whether another host has the same handle.
          path: creatorId === id ? path : creatorPath(creatorId, creatorHost, creatorHandle, publicUrls),
        };
  const apiPath = agentId === null ? `/api/subjects/${id}` : `/api/agents/${agentId}`;
  return { host, repositoryUrl, npmPackage, creator, apiPath, partOf: null, addresses };
}

function creatorPath(id: string, host: string, handle: string, publicUrls: PublicUrls): string {
  const nothing = { agentId: null, repository: null, artifactName: null, holdsBareName: false };
  return publicPath({ id, type: 'creator', host, handle, ...nothing }, publicUrls);
}

/** One page of a subject's past scores. */
export interface ScoreHistory {
  versions: readonly ListedVersion[];
  nextCursor: string | null;
}

/**
 * Lists the versions of a subject's score, newest first. Following the cursors neither skips nor repeats a version,
 * even if scores are added meanwhile. Throws subject_not_found, gone for a delisted subject, and invalid_request for a
 * cursor of another subject.
 */
export async function listScoreHistory(
  connection: Connection,
  subjectId: string,
  { cursor, limit }: { cursor: string | null; limit: number },
  publicUrls: PublicUrls,
): Promise<ScoreHistory> {
  const subject = await resolveSubject(connection, SUBJECT_TYPES, subjectId, publicUrls);
  const before = cursor === null ? null : readCursor(subject.id, cursor);
  const found = await listVersions(connection, subject.id, before, limit + 1);
  const versions = found.slice(0, limit);
  const last = versions.at(-1);
  const hasMore = found.length > limit && last !== undefined;
  return { versions, nextCursor: hasMore ? writeCursor(subject.id, last.version) : null };
}

function writeCursor(subjectId: string, version: string): string {
  return Buffer.from(JSON.stringify([subjectId, version])).toString('base64url');
}

const POSITION = /^\["([0-9a-f-]{36})","([^"]{27})"\]$/;

function readCursor(subjectId: string, cursor: string): string {
  const [, id, version = ''] = POSITION.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  if (id === subjectId && isUtcText(version)) return version;
  throw new DomainError('invalid_request', 'cursor does not belong to this list. Start again without it.');
}

/** The difference of two versions of a subject's score. */
export interface ComparedSubject {
  subject: ResolvedSubject;
  from: StoredVersion;
  to: StoredVersion;
  difference: ScoreDifference;
  places: SourceLinks;
}

/**
 * Compares the scores that were current at two times. `to` defaults to the current score, and `from` to the score
 * before `to`. If there is no score before `to`, compares `to` with itself. Sends three read statements. Throws the
 * errors of `explainSubject`, and invalid_request if `from` is after `to`.
 */
export async function compareSubject(
  connection: Connection,
  subjectId: string,
  times: { from: string | null; to: string | null },
  publicUrls: PublicUrls,
): Promise<ComparedSubject> {
  const subject = await resolveSubject(connection, SUBJECT_TYPES, subjectId, publicUrls);
  const [{ from, to }, { places }] = await Promise.all([
    findVersions(connection, subject.id, times),
    findExplained(connection, subject.id, null, () => Number.POSITIVE_INFINITY),
  ]);
  if (to === null) throw times.to === null ? noScore() : noVersion(times.to);
  if (from === null && times.from !== null) throw noVersion(times.from);
  const earlier = from ?? to;
  if (earlier.version > to.version) {
    throw new DomainError('invalid_request', 'from must not be after to.');
  }
  const difference = compareScores(earlier, to);
  return { subject, from: earlier, to, difference, places: linksOf(subject, places, publicUrls) };
}

function noScore(): DomainError {
  return new DomainError('not_found', 'This subject has no confirmed score yet.');
}

function noVersion(time: string): DomainError {
  return new DomainError(
    'not_found',
    `This subject had no score at ${time}. The history lists the times of its scores.`,
  );
}
