/** What a verdict is made from, of a score that was stored without one. */
const EVIDENCE_OF_OLD = `CASE WHEN k.verdict IS NULL AND k.score_version IS NOT NULL THEN (
    SELECT jsonb_build_object('contributions', e.contributions, 'caps', e.caps, 'facts', e.inputs -> 'facts', 'factsAt', e.inputs -> 'now')
    FROM score e WHERE e.subject_id = k.subject_id AND e.version = k.score_version) END`;

/**
 * Where a listing stands in its category, of one that enough is known of and nothing speaks against: how many bounds are
 * below its trust. As much as figures are shown to, since the function counts equal ones in.
 */
const STANDING = `CASE WHEN k.verdict IN ('verified', 'well_evidenced') THEN (
    SELECT jsonb_build_object('percentile', width_bucket(k.trust - 1e-9, q.bounds), 'among', q.among, 'countedAt', utc_text(q.counted_at))
    FROM category_standing q WHERE q.type = k.type AND q.category = k.category) END`;

/** Two looks into an index, and no more: marks themselves are read for the few that have any. */
const RELATED = `(EXISTS (SELECT FROM relation m WHERE m.from_listing_id = l.subject_id AND m.from_path IS NULL AND m.to_path IS NULL)
  OR EXISTS (SELECT FROM relation m WHERE m.to_listing_id = l.subject_id AND m.to_path IS NULL AND m.from_path IS NULL))`;

/** The columns of an AgentRecord, for a SELECT from AGENT_TABLES. */
export const AGENT_COLUMNS = `l.subject_id AS "subjectId", l.creator_id AS "creatorId", l.agent_id AS "agentId", l.type, l.name, l.description, l.category, l.tags, l.kind, l.license,
  l.repository_url AS "repositoryUrl", l.stars, l.forks, l.open_issues AS "openIssues",
  l.last_commit_at AS "lastCommitAt", l.verified, k.trust, k.confidence, k.tier, utc_text(k.score_version) AS "scoreVersion",
  k.verdict, k.reasons, ${EVIDENCE_OF_OLD} AS evidence, ${STANDING} AS standing, l.listed_at AS "listedAt",
  l.updated_at AS "updatedAt", ${RELATED} AS related, c.host AS "creatorHost", c.handle AS "creatorHandle",
  c.display_name AS "creatorDisplayName", c.verified AS "creatorVerified", r.trust AS "creatorTrust", r.confidence AS "creatorConfidence"`;

/** `l` is the listing, `k` its place in the ranking, `c` its creator, `r` a verified creator's current score. */
export const AGENT_TABLES = `listing l JOIN listing_rank k ON k.subject_id = l.subject_id JOIN creator c ON c.subject_id = l.creator_id
  LEFT JOIN subject s ON s.id = c.subject_id AND c.verified
  LEFT JOIN score r ON r.subject_id = s.id AND r.version = s.current_version`;

/** A creator's listings in the order of the directory's list by trust: unscored ones come last. */
export const CREATORS_BEST = `SELECT ${AGENT_COLUMNS} FROM ${AGENT_TABLES} WHERE l.creator_id = $1
  ORDER BY k.trust DESC NULLS LAST, k.confidence DESC NULLS LAST, k.agent_id LIMIT $2 OFFSET $3`;

/** An artifact's own texts, with the record of the listing that it is inside of. */
export const ARTIFACT = `SELECT a.description AS about, a.path, a.npm_package AS "npmPackage", a.pypi_package AS "pypiPackage", l.host, ${AGENT_COLUMNS}
  FROM artifact a JOIN (${AGENT_TABLES}) ON l.subject_id = a.listing_id WHERE a.subject_id = $1`;
