import { HAS_CONFIRMED_NPM, HAS_CONFIRMED_PYPI } from '../../catalog/listings/listing-aliases.ts';
import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import { createBatchedRead } from '../../platform/batching/batched-read.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { flowsInFull } from '../../scoring/facts/counts-for-creator.fragment.ts';
import { PACKAGE_REASONS } from '../../scoring/verdict/package-reasons.ts';
import type { AgentRecord } from './agent-record.ts';

/**
 * SQL for the evidence of a score that was stored without a verdict: the verdict is computed from it. Otherwise null.
 */
const EVIDENCE_WITHOUT_VERDICT = `CASE WHEN k.verdict IS NULL AND k.score_version IS NOT NULL THEN (
    SELECT jsonb_build_object('contributions', e.contributions, 'caps', e.caps, 'facts', e.inputs -> 'facts', 'factsAt', e.inputs -> 'now')
    FROM score e WHERE e.subject_id = k.subject_id AND e.version = k.score_version) END`;

/**
 * SQL for the standing of a listing among those of its type and category: the percentage with lower trust, as the
 * number of percentile bounds below the listing's trust. Null unless the verdict is `verified` or `well_evidenced`.
 * Subtracts 1e-9, because `width_bucket` counts an equal bound as lower.
 */
const STANDING = `CASE WHEN k.verdict IN ('verified', 'well_evidenced') THEN (
    SELECT jsonb_build_object('percentile', width_bucket(k.trust - 1e-9, q.bounds), 'among', q.among, 'countedAt', utc_text(q.counted_at))
    FROM category_standing q WHERE q.type = k.type AND q.category = k.category) END`;

/**
 * SQL for whether listing `l` may have flags, which mark an old name or a copy. The check costs two index lookups.
 * Callers load flags only for the few listings that pass it.
 */
export const MAY_HAVE_FLAGS = `(EXISTS (SELECT FROM relation m WHERE m.from_listing_id = l.subject_id AND m.from_path IS NULL AND m.to_path IS NULL)
  OR EXISTS (SELECT FROM relation m WHERE m.to_listing_id = l.subject_id AND m.to_path IS NULL AND m.from_path IS NULL))`;

/** SQL for whether all packages of listing `l` are confirmed; null without a package. */
const PACKAGE_CONFIRMED = `CASE WHEN l.npm_package IS NOT NULL OR l.pypi_package IS NOT NULL
    THEN (l.npm_package IS NULL OR l.npm_confirmed) AND (l.pypi_package IS NULL OR l.pypi_confirmed) END`;

/** SQL for the number of artifacts inside the repository of listing `l`. Needs only an index-only scan. */
export const PART_COUNT = '(SELECT count(*)::int FROM artifact part WHERE part.listing_id = l.subject_id)';
/** SQL for the packages of listing `l`. Null if it has none: most listings have none, so no JSON is built for them. */
const PACKAGES = `CASE WHEN l.npm_package IS NOT NULL OR l.pypi_package IS NOT NULL OR l.other_packages <> '[]' THEN jsonb_build_object(
    'npm', l.npm_package, 'pypi', l.pypi_package, 'npmConfirmed', l.npm_confirmed, 'pypiConfirmed', l.pypi_confirmed,
    'npmMissing', l.npm_missing, 'pypiMissing', l.pypi_missing, 'others', l.other_packages) END`;

/**
 * SQL for the stored fact that says whether security advisories affect the package of listing `l`. Null unless the
 * listing's score has one of the reasons whose text names package versions.
 */
const PACKAGE_STANDING = `CASE WHEN k.reasons && '{${PACKAGE_REASONS}}'
    THEN (SELECT o.value FROM observed_fact o WHERE o.subject_id = l.subject_id AND o.fact = 'package_standing' LIMIT 1) END`;

/** Columns of an AgentRecord, for a SELECT from AGENT_TABLES. */
export const AGENT_COLUMNS = `l.subject_id AS "subjectId", l.creator_id AS "creatorId", l.agent_id AS "agentId", l.type, l.name, l.description, l.category, l.tags, l.kind, l.license, ${PACKAGE_CONFIRMED} AS "packageConfirmed", ${PACKAGES} AS packages,
  l.repository_url AS "repositoryUrl", ${PART_COUNT} AS "partCount", l.stars, l.forks, l.open_issues AS "openIssues",
  l.last_commit_at AS "lastCommitAt", coalesce(l.metrics_observed_at, l.updated_at) AS "metricsReadAt", l.verified, k.trust, k.confidence, k.tier, utc_text(k.score_version) AS "scoreVersion",
  k.verdict, k.reasons, ${PACKAGE_STANDING} AS "packageStanding", ${EVIDENCE_WITHOUT_VERDICT} AS evidence, ${STANDING} AS standing, l.listed_at AS "listedAt",
  l.updated_at AS "updatedAt", ${MAY_HAVE_FLAGS} AS related, c.host AS "creatorHost", c.handle AS "creatorHandle",
  c.display_name AS "creatorDisplayName", c.verified AS "creatorVerified", r.trust AS "creatorTrust", r.confidence AS "creatorConfidence"`;

/** Joins listing `l`, its ranking row `k`, its creator `c`, and a verified creator's current score `r`. */
export const AGENT_TABLES = `listing l JOIN listing_rank k ON k.subject_id = l.subject_id JOIN creator c ON c.subject_id = l.creator_id
  LEFT JOIN subject s ON s.id = c.subject_id AND c.verified
  LEFT JOIN score r ON r.subject_id = s.id AND r.version = s.current_version`;

/** Selects a creator's listings by trust; unscored ones come last. */
export const CREATORS_BEST = `SELECT ${AGENT_COLUMNS} FROM ${AGENT_TABLES} WHERE l.creator_id = $1
  ORDER BY k.trust DESC NULLS LAST, k.confidence DESC NULLS LAST, k.agent_id LIMIT $2 OFFSET $3`;

/** Selects an artifact's description, path and confirmed packages, with the record of its listing. */
export const ARTIFACT = `SELECT a.description AS about, a.path, CASE WHEN ${HAS_CONFIRMED_NPM} THEN a.npm_package END AS "npmPackage",
    CASE WHEN ${HAS_CONFIRMED_PYPI} THEN a.pypi_package END AS "pypiPackage", l.host, ${AGENT_COLUMNS}
  FROM artifact a JOIN (${AGENT_TABLES}) ON l.subject_id = a.listing_id WHERE a.subject_id = $1`;

const SELECT = `SELECT ${AGENT_COLUMNS} FROM ${AGENT_TABLES}`;

/** Loads the records of these subjects, in no particular order. Subjects without a listing are skipped. */
export function loadAgentRecords(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<AgentRecord[]> {
  return connection.query<AgentRecord>(BY_SUBJECTS, [batchJson(subjectIds.map((id) => ({ id })))]);
}

// Joins a batch instead of using `= ANY`, because PostgreSQL plans `= ANY` again for each array length. Such planning
// takes as long as reading forty rows.
const BY_SUBJECTS = `SELECT ${AGENT_COLUMNS} FROM (${batchRows('id uuid')}) AS asked JOIN (${AGENT_TABLES}) ON l.subject_id = asked.id`;

const readByIds = createBatchedRead<{ id: string }, AgentRecord>({
  sql: `SELECT asked.n, ${AGENT_COLUMNS} FROM (${batchRows('id text')}) AS asked JOIN (${AGENT_TABLES}) ON l.agent_id = asked.id`,
});

/** Finds the record with this `AGT-` id (upper case). Null if no listing has it. */
export async function findAgentRecord(connection: Connection, agentId: string): Promise<AgentRecord | null> {
  const [record] = await readByIds(connection, { id: agentId });
  return record ?? null;
}

/**
 * Returns the `AGT-` id of the listing into which the listing with a former `AGT-` id was merged; null if there is
 * none.
 */
export async function findCurrentAgentId(connection: Connection, formerId: string): Promise<string | null> {
  const [row] = await connection.query<{ agentId: string }>(
    `SELECT l.agent_id AS "agentId" FROM subject_alias f JOIN listing l ON l.subject_id = f.subject_id
     WHERE f.label = lower($1) AND f.kind = 'former'`,
    [formerId],
  );
  return row?.agentId ?? null;
}

// The cursor is the `AGT-` id of the last listing of a page. The query reads the listing's time, so that the cursor need
// not contain that time.
const OWN = `${SELECT}
WHERE c.account_id = $1 AND ($2::text IS NULL
  OR (l.listed_at, l.agent_id) < (SELECT p.listed_at, p.agent_id FROM listing p WHERE p.agent_id = $2))
ORDER BY l.listed_at DESC, l.agent_id DESC LIMIT $3`;

/**
 * Returns up to `limit` listings of an account's creators, newest first. They follow the listing whose `AGT-` id is
 * `after` (null: from the start).
 */
export function findOwnRecords(
  connection: Connection,
  accountId: string,
  after: string | null,
  limit: number,
): Promise<AgentRecord[]> {
  return connection.query<AgentRecord>(OWN, [accountId, after, limit]);
}

/**
 * The requested listing, or an ancestor or descendant of it, with its parent's id, its relation to the parent, and the
 * parent's current score computed without the lineage signal. All these fields are null for a listing without a parent.
 */
export interface FamilyMember extends AgentRecord {
  /** Distance from the requested listing: negative for ancestors, 0 for itself. */
  depth: number;
  parentAgentId: string | null;
  relation: string | null;
  acknowledged: boolean | null;
  ownTrust: number | null;
  ownConfidence: number | null;
}

/**
 * Maximum ancestors and descendants in a response, because families can have any size. The statements read one row more
 * than the maximum, to detect truncation.
 */
export const MAX_ANCESTORS = 64;
export const MAX_DESCENDANTS = 1_000;
/** Maximum families per batch. The family of a famous repository has a thousand rows. */
const FAMILIES_PER_BATCH = 8;

/** Selects the ancestors of listing `root`. Stored data has no cycles; `seen` would end the recursion at a cycle. */
const ANCESTORS = `WITH RECURSIVE above (id, depth, seen) AS (
    SELECT root.parent_id, 1, ARRAY[root.subject_id, root.parent_id] WHERE root.parent_id IS NOT NULL
    UNION ALL
    SELECT l.parent_id, above.depth + 1, above.seen || l.parent_id FROM above JOIN listing l ON l.subject_id = above.id
    WHERE l.parent_id IS NOT NULL AND l.parent_id <> ALL (above.seen) AND above.depth <= ${MAX_ANCESTORS})
  SELECT id, -depth AS depth, ARRAY[]::text[] COLLATE "C" AS place FROM above`;

/**
 * Selects listing `root` and its descendants breadth first, children of one parent by id. PostgreSQL evaluates the
 * recursion lazily, so the LIMIT stops it before it reads a million forks.
 */
const DESCENDANTS = `WITH RECURSIVE below (id, depth, seen, place) AS (
    SELECT root.subject_id, 0, ARRAY[root.subject_id], ARRAY[]::text[] COLLATE "C"
    UNION ALL
    SELECT child.subject_id, below.depth + 1, below.seen || child.subject_id, below.place || child.agent_id
    FROM below CROSS JOIN LATERAL (SELECT l.subject_id, l.agent_id FROM listing l
      WHERE l.parent_id = below.id AND l.subject_id <> ALL (below.seen)
      ORDER BY l.agent_id LIMIT ${MAX_DESCENDANTS + 1}) AS child)
  SELECT id, depth, place FROM below LIMIT ${MAX_DESCENDANTS + 2}`;

/**
 * Reads the families of listings. OFFSET 0 makes PostgreSQL look up each member by id. Without it, PostgreSQL expects
 * many members and scans whole tables.
 */
const readFamilies = createBatchedRead<{ id: string }, FamilyMember>({
  sql: `SELECT asked.n, walked.depth, member.*
    FROM (${batchRows('id text')}) AS asked JOIN listing root ON root.agent_id = asked.id
    CROSS JOIN LATERAL ((${ANCESTORS}) UNION ALL (${DESCENDANTS})) AS walked
    CROSS JOIN LATERAL (SELECT ${AGENT_COLUMNS}, p.agent_id AS "parentAgentId", l.parent_relation AS relation,
        ${flowsInFull('l', 'p', 'c')} AS acknowledged,
        own.own_trust AS "ownTrust", own.own_confidence AS "ownConfidence"
      FROM ${AGENT_TABLES} LEFT JOIN listing p ON p.subject_id = l.parent_id
      LEFT JOIN subject ps ON ps.id = p.subject_id
      LEFT JOIN score own ON own.subject_id = ps.id AND own.version = ps.current_version
      WHERE l.subject_id = walked.id OFFSET 0) AS member
    ORDER BY asked.n, walked.depth, walked.place`,
  maxBatch: FAMILIES_PER_BATCH,
});

/**
 * Returns the family of the listing with this `AGT-` id (upper case) from one snapshot: farthest ancestor first, then
 * the listing, then its descendants. Empty if no listing has the id.
 */
export function findFamily(connection: Connection, agentId: string): Promise<FamilyMember[]> {
  return readFamilies(connection, { id: agentId });
}
