import { countIndependentLists, PACKAGE_FACTS } from '../embedded/signals-rs-2.0.0.ts';
import {
  everyStanding,
  type FurtherFactName,
  type Metadata,
  type Observed,
  type ObservedRecord,
  type Parent,
  type RepositoryFacts,
} from '../fact-types.ts';
import { flowsInFull } from './counts-for-creator.fragment.ts';
import type { CreatorIdentity } from './creator-identity.ts';
import {
  CREATOR_IDENTITY_COLUMNS,
  CREATOR_IDENTITY_JOINS,
  observedAccountAge,
  observedAccounts,
} from './creator-identity.ts';
import type { SubjectFacts } from './facts-kind.ts';
import { defineFactsKind } from './facts-kind.ts';
import { statedStatus } from './stated-status.ts';

/** Stored columns of a listing or artifact, with those of its creator and parent. Times are ISO 8601 UTC. */
export interface RepositoryRecord {
  verified: boolean;
  description: string;
  tags: readonly string[];
  category: string | null;
  homepage: string | null;
  hasSkillManifest: boolean;
  /** Host of the repository. */
  repositoryHost: string;
  /** True if the stored metrics come from the host's own record of the repository, not from a list. */
  isRead: boolean;
  /** True if an account registered the listing, and so wrote its description and tags. */
  isRegistered: boolean;
  /** True for an artifact inside a repository. */
  isPart: boolean;
  license: string | null;
  stars: number | null;
  forks: number | null;
  openIssues: number | null;
  lastCommitAt: string | null;
  repositoryCreatedAt: string | null;
  archived: boolean | null;
  monthlyDownloads: number | null;
  /** True if the npm package is confirmed for several listings. Its downloads then count for none of them. */
  packageIsShared: boolean;
  /** Time at which the metrics were read, null if never, and their source: the host, or a list. */
  metricsObservedAt: string | null;
  metricsSource: string;
  /** Host that the licence was read from. Otherwise the list that stated it, or `registry` if several lists may have. */
  licenseSource: string;
  /** Time at which a source last confirmed the listing. */
  confirmedAt: string;
  /** Time at which a source last confirmed the subject's own texts: those of the artifact, or of the listing. */
  metadataConfirmedAt: string;
  /** Lists that name the repository; null if no import has named them. */
  sourceLists: readonly string[] | null;
  /** True if a package and the repository name each other, and no other listing has this confirmed package. */
  packageConfirmed: boolean;
  /** Beginning of a list's description of the repository, and the list; null if no list describes it. */
  listedAs?: string | null;
  listedBy?: string | null;
  /** True if a confirmed package of the listing is confirmed for other listings, too. */
  isConfirmedForOthers?: boolean;
  observed: readonly ObservedRecord[] | null;
  creator: CreatorIdentity;
  parents: readonly Parent[];
}

const REGISTRY = 'registry';

/**
 * Derives the facts of a subject, each with its time and source; unknown facts are null. Metrics have the time at which
 * they were read. A fact that a list states without a date, such as a licence, gets the same time, so that it ages;
 * explanations show it as undated. If no metrics were read, the time of the row is used.
 */
export function factsFromRecord(record: RepositoryRecord): RepositoryFacts {
  const readAt = record.metricsObservedAt ?? record.confirmedAt;
  const measured = <Value>(value: Value | null) => observed(value, readAt, record.metricsSource);
  return {
    verified: observed(record.verified, record.confirmedAt, REGISTRY),
    creatorAccounts: observedAccounts(record.creator, readAt),
    creatorAccountCreatedAt: observedAccountAge(record.creator),
    repositoryCreatedAt: record.repositoryCreatedAt,
    archived: record.archived,
    deprecated: null,
    lastCommitAt: measured(record.lastCommitAt),
    openIssues: measured(record.openIssues),
    stars: measured(record.stars),
    forks: measured(record.forks),
    monthlyDownloads: record.packageIsShared
      ? null
      : observed(record.monthlyDownloads, record.confirmedAt, 'npm'),
    license: observed(record.license?.trim() || null, readAt, record.licenseSource),
    metadata: observed(metadata(record), record.metadataConfirmedAt, REGISTRY),
    parents: record.parents,
    ...furtherFacts(record, statusRecord(record)),
  };
}

/**
 * Returns what a list says about the repository's status. Once the repository's host has been read, only the host's own
 * statement counts. The list gives no date, so the age of its statement is computed from the time when the list was
 * read.
 */
function statusRecord(record: RepositoryRecord): ObservedRecord[] {
  const { listedAs = null, listedBy = null, archived, confirmedAt: observedAt } = record;
  const value = listedAs === null || archived !== null ? null : statedStatus(listedAs);
  return value === null || listedBy === null
    ? []
    : [{ fact: 'stated_status', value, observedAt, source: listedBy }];
}

/** Returns facts that a score's inputs contain only if they are known. */
function furtherFacts(
  {
    sourceLists,
    packageConfirmed: isConfirmedAlone,
    isConfirmedForOthers = false,
    observed: records,
    confirmedAt: observedAt,
  }: RepositoryRecord,
  stated: readonly ObservedRecord[],
): Partial<RepositoryFacts> {
  // If a package is confirmed for a second listing, too, its advisories still apply to the first one. Otherwise a
  // second listing could be used to hide advisories.
  const packageConfirmed = isConfirmedAlone || (isConfirmedForOthers && (records ?? []).some(isAffected));
  const seen = { observedAt, source: REGISTRY };
  const lists = countIndependentLists(sourceLists ?? []);
  // Ignores facts about an unconfirmed package, because the package that a list names may belong to another person.
  const read = records?.filter(({ fact }) => packageConfirmed || !PACKAGE_FACTS.has(fact)) ?? [];
  const counting = [...read, ...stated];
  return {
    ...(lists > 0 && { lists: { value: lists, ...seen } }),
    ...(packageConfirmed && { packageConfirmed: { value: true as const, ...seen } }),
    ...(counting.length > 0 && { observed: counting }),
  };
}

/**
 * Returns true for a package's security status with malware in any version, or vulnerabilities in the published one.
 */
function isAffected(record: ObservedRecord): boolean {
  if (record.fact !== 'package_standing') return false;
  return everyStanding(record.value).some(
    ({ malwareVersions, vulnerabilities }) => malwareVersions.length > 0 || vulnerabilities.length > 0,
  );
}

function observed<Value>(value: Value | null, observedAt: string, source: string): Observed<Value> | null {
  return value === null ? null : { value, observedAt, source };
}

/** Hosts whose API returns the topics of a repository, and hosts whose API returns its home page. */
const SHOW_TOPICS: ReadonlySet<string> = new Set(['github.com', 'gitlab.com', 'codeberg.org']);
const SHOW_HOMEPAGE: ReadonlySet<string> = new Set(['github.com', 'codeberg.org', 'bitbucket.org']);

/**
 * Returns the parts of the metadata. A part that is not stored is false if the host's record of the repository was
 * read, or the listing was registered, and this record or registration would contain the part. Otherwise the part is
 * null (unknown), because lists may leave it out. It is also null for an artifact.
 */
function metadata(record: RepositoryRecord): Metadata {
  const { repositoryHost: host, isRead, isRegistered, isPart } = record;
  const part = (isStored: boolean, isShown: boolean) => isStored || (isShown && !isPart ? false : null);
  return {
    description: part(record.description.trim() !== '', isRead || isRegistered),
    tags: part(record.tags.length > 0, isRegistered || (isRead && SHOW_TOPICS.has(host))),
    category: part(record.category !== null, false),
    homepage: part(record.homepage !== null, isRead && SHOW_HOMEPAGE.has(host)),
    skillManifest: part(record.hasSkillManifest, false),
  };
}

/** Stored facts that scores use. Other facts are not loaded, so that they are not stored with each score. */
const FURTHER_FACTS: Readonly<Record<Exclude<FurtherFactName, 'stated_status'>, true>> = {
  published_package: true,
  package_standing: true,
  releases: true,
  contributors: true,
  security_policy: true,
  owner_account: true,
  scorecard: true,
  official_maker: true,
};

interface Row extends Omit<RepositoryRecord, 'parents' | 'creator'>, CreatorIdentity {
  id: string;
  type: 'agent' | 'skill';
  name: string;
  repository: string;
  now: string;
  parentId: string | null;
  parentVersion: string | null;
  parentOwnTrust: number;
  parentOwnConfidence: number;
  parentAcknowledged: boolean;
}

// A package that is confirmed for several listings counts for none of them, unless advisories affect it.
const NPM_IS_SHARED = `EXISTS (SELECT FROM listing o
    WHERE o.npm_package = l.npm_package AND o.npm_confirmed AND o.subject_id <> l.subject_id)`;
const normalized = (name: string) => `lower(regexp_replace(${name}, '[-_.]+', '-', 'g'))`;
const PYPI_IS_SHARED = `EXISTS (SELECT FROM listing o WHERE o.pypi_package IS NOT NULL
    AND ${normalized('o.pypi_package')} = ${normalized('l.pypi_package')} AND o.pypi_confirmed AND o.subject_id <> l.subject_id)`;
const HAS_NPM = 'l.npm_confirmed AND (a.subject_id IS NULL OR a.npm_package = l.npm_package)';
const HAS_PYPI = 'l.pypi_confirmed AND (a.subject_id IS NULL OR a.pypi_package = l.pypi_package)';

const IS_READ = `EXISTS (SELECT FROM repository_refresh h
    WHERE h.listing_id = l.subject_id AND h.confirmed_at = l.metrics_observed_at)`;
const METRICS_LIST = "coalesce(l.imported ->> 'metricsSource', l.source)";

// An artifact (a) is scored on the facts of its repository's listing (l), licence included, but with its own texts and
// package. The downloads are unknown if only a list names the package, because the package may belong to another
// person. Tags, category and homepage describe the repository, so they do not count for the artifact. An artifact has
// no lineage.
const COLUMNS = `l.verified,
  CASE WHEN a.subject_id IS NULL THEN l.description ELSE a.description END AS description,
  CASE WHEN a.subject_id IS NULL THEN l.tags ELSE '{}' END AS tags,
  CASE WHEN a.subject_id IS NULL THEN l.category END AS category,
  CASE WHEN a.subject_id IS NULL THEN l.homepage END AS homepage,
  CASE WHEN a.subject_id IS NOT NULL THEN a.kind = 'skill' AND a.path IS NOT NULL
    ELSE s.type = 'skill' AND EXISTS (SELECT FROM artifact i
      WHERE i.listing_id = l.subject_id AND i.kind = 'skill' AND i.path IS NOT NULL) END AS "hasSkillManifest",
  l.host AS "repositoryHost", l.registered_by IS NOT NULL AS "isRegistered", ${IS_READ} AS "isRead", a.subject_id IS NOT NULL AS "isPart",
  CASE WHEN l.registered_by IS NULL THEN left(l.description, 200) END AS "listedAs",
  l.imported ->> 'descriptionSource' AS "listedBy",
  l.license, l.stars::float8 AS stars, l.forks::float8 AS forks, l.open_issues::float8 AS "openIssues",
  utc_text(l.last_commit_at) AS "lastCommitAt", utc_text(l.repository_created_at) AS "repositoryCreatedAt", l.archived,
  CASE WHEN ${HAS_NPM} THEN l.npm_monthly_downloads::float8 END AS "monthlyDownloads",
  l.npm_confirmed AND ${NPM_IS_SHARED} AS "packageIsShared",
  utc_text(l.metrics_observed_at) AS "metricsObservedAt",
  CASE WHEN ${IS_READ} THEN l.host ELSE ${METRICS_LIST} END AS "metricsSource",
  CASE WHEN ${IS_READ} THEN l.host
    WHEN nullif(l.imported -> 'sources', 'null') <> jsonb_build_array(${METRICS_LIST}) THEN '${REGISTRY}'
    ELSE ${METRICS_LIST} END AS "licenseSource",
  CASE WHEN jsonb_typeof(l.imported -> 'sources') = 'array' THEN l.imported -> 'sources' END AS "sourceLists",
  coalesce(${HAS_NPM} AND NOT ${NPM_IS_SHARED}, false) OR coalesce(${HAS_PYPI} AND NOT ${PYPI_IS_SHARED}, false) AS "packageConfirmed",
  coalesce(${HAS_NPM} AND ${NPM_IS_SHARED}, false) OR coalesce(${HAS_PYPI} AND ${PYPI_IS_SHARED}, false) AS "isConfirmedForOthers",
  (SELECT jsonb_agg(jsonb_build_object('fact', f.fact, 'value', f.value, 'observedAt', utc_text(f.observed_at),
      'source', f.source) ORDER BY f.fact, f.source)
    FROM observed_fact f WHERE f.subject_id = l.subject_id AND f.fact = ANY ('{${Object.keys(FURTHER_FACTS)}}')
      AND (a.subject_id IS NULL OR f.fact <> ALL ('{${[...PACKAGE_FACTS]}}')
        OR f.value ->> 'name' IN (a.npm_package, a.pypi_package))) AS observed,
  utc_text(l.updated_at) AS "confirmedAt", utc_text(coalesce(a.updated_at, l.updated_at)) AS "metadataConfirmedAt",
  ${CREATOR_IDENTITY_COLUMNS},
  p.subject_id AS "parentId", utc_text(v.version) AS "parentVersion", v.own_trust AS "parentOwnTrust",
  v.own_confidence AS "parentOwnConfidence",
  ${flowsInFull('l', 'p', 'c')} AS "parentAcknowledged"`;

const BEHIND_CREATOR = `${CREATOR_IDENTITY_JOINS}
  LEFT JOIN listing p ON p.subject_id = l.parent_id AND a.subject_id IS NULL
  LEFT JOIN subject o ON o.id = p.subject_id
  LEFT JOIN score v ON v.subject_id = o.id AND v.version = o.current_version`;

const SQL = {
  subject: 's.id, s.type, s.name, l.repository',
  columns: COLUMNS,
  tables: `LEFT JOIN artifact a ON a.subject_id = s.id
  JOIN listing l ON l.subject_id = coalesce(a.listing_id, s.id)
  JOIN creator c ON c.subject_id = l.creator_id ${BEHIND_CREATOR}`,
  joinsAfterCreator: BEHIND_CREATOR,
};

/**
 * Reads the facts of listings and artifacts by subject id, in one statement and as of one time. Subjects that are
 * unknown or of another type are omitted.
 */
export const REPOSITORY_FACTS = defineFactsKind(SQL, subjectFactsOf);

function subjectFactsOf(row: Row): SubjectFacts<RepositoryFacts> {
  const { id, type, name, repository } = row;
  return {
    subject: { id, type, name, repository },
    facts: factsFromRecord(Object.assign({}, row, { creator: row, parents: parentsOf(row) })),
    now: new Date(row.now),
  };
}

function parentsOf(row: Row): Parent[] {
  if (row.parentId === null) return [];
  const score =
    row.parentVersion === null
      ? null
      : { ownTrust: row.parentOwnTrust, ownConfidence: row.parentOwnConfidence, version: row.parentVersion };
  return [{ id: row.parentId, score, acknowledged: row.parentAcknowledged }];
}
