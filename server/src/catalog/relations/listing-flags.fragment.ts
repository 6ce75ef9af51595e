/** A listing that a flag refers to. */
export interface FlaggedListing {
  id: string;
  agentId: string;
  type: 'agent' | 'skill';
  name: string;
  /** Repository in the form `owner/name`. */
  repository: string;
  /** Type of the relation, such as `probable_rename_to`. */
  relation: string;
  /** True if a source states the relation; false if it is inferred. */
  stated: boolean;
}

/**
 * A listing that a relation connects to the requested one: the same repository under a newer or older name, or (`copy`)
 * the listing of which the requested one is a copy.
 */
export interface FlagRow extends FlaggedListing {
  mark: 'newer' | 'older' | 'copy';
}

const RENAMES = "r.type IN ('renamed_to', 'probable_rename_to') AND r.directed";

/** Relations that make a whole repository a copy of another one. Forks count as lineage instead. */
const COPIES = "r.type IN ('duplicate_of', 'copied_from', 'same_name_and_description', 'same_tool_manifest')";

/** Maximum older names returned per listing. */
const SHOWN_OLDER = 3;

/** Maximum length of a chain of renames. */
const MAX_CHAIN = 16;

/**
 * CTEs for a WITH RECURSIVE, after a CTE `asked (n, id)` with listings. The last one, `flag`, has one row of `FlagRow`
 * for each flag of a listing, with the listing's `n`. If renames form a cycle, no name counts as the newest. An
 * undirected relation does not say which of the two repositories is the copy; if both creation dates are known, the
 * later repository counts as the copy.
 */
export const FLAGS_OF_ASKED = `chain (n, id, relation, stated, depth, seen, circle) AS (
  SELECT n, id, NULL::text, true, 0, ARRAY[id], false FROM asked
  UNION ALL
  SELECT chain.n, step.id, step.type, chain.stated AND step.stated, chain.depth + 1, chain.seen || step.id,
    step.id = ANY (chain.seen)
  FROM chain CROSS JOIN LATERAL (SELECT r.to_listing_id AS id, r.type, r.stated FROM relation r
    WHERE r.from_listing_id = chain.id AND r.from_path IS NULL AND r.to_path IS NULL AND r.to_listing_id IS NOT NULL
      AND r.to_listing_id <> r.from_listing_id AND ${RENAMES} ORDER BY r.stated DESC, r.id LIMIT 1) AS step
  WHERE NOT chain.circle AND chain.depth < ${MAX_CHAIN}),
newer AS (SELECT DISTINCT ON (n) n, id, relation, stated FROM chain
  WHERE n NOT IN (SELECT c.n FROM chain c WHERE c.circle) AND depth > 0 ORDER BY n, depth DESC),
older AS (SELECT asked.n, old.* FROM asked CROSS JOIN LATERAL (
    SELECT DISTINCT ON (r.from_listing_id) r.from_listing_id AS id, r.type AS relation, r.stated FROM relation r
    WHERE r.to_listing_id = asked.id AND r.to_path IS NULL AND r.from_path IS NULL
      AND r.from_listing_id <> r.to_listing_id AND ${RENAMES}
    ORDER BY r.from_listing_id, r.stated DESC LIMIT ${SHOWN_OLDER}) AS old),
copy AS (SELECT DISTINCT ON (n) n, two.id, relation, stated FROM (
    SELECT asked.n, asked.id AS asked, r.to_listing_id AS id, r.type AS relation, r.stated, r.directed, r.id AS place
    FROM asked JOIN relation r ON r.from_listing_id = asked.id AND r.from_path IS NULL AND r.to_path IS NULL AND ${COPIES}
    UNION ALL
    SELECT asked.n, asked.id, r.from_listing_id, r.type, r.stated, r.directed, r.id
    FROM asked JOIN relation r ON r.to_listing_id = asked.id AND r.to_path IS NULL AND r.from_path IS NULL
      AND NOT r.directed AND ${COPIES}) AS two
  JOIN listing a ON a.subject_id = two.asked JOIN listing o ON o.subject_id = two.id
  WHERE two.asked <> two.id AND (two.directed OR o.repository_created_at < a.repository_created_at)
  ORDER BY n, stated DESC, directed DESC, place),
flag AS (SELECT found.n, found.mark, l.subject_id AS id, l.agent_id AS "agentId", l.type, l.name, l.repository, found.relation,
    found.stated
  FROM (SELECT n, 'newer' AS mark, id, relation, stated FROM newer UNION ALL SELECT n, 'older', id, relation, stated FROM older
    UNION ALL SELECT n, 'copy', id, relation, stated FROM copy) AS found JOIN listing l ON l.subject_id = found.id)`;

/** Sort order of the flags of one listing. */
export const FLAG_ORDER = 'flag.mark, lower(flag.repository), flag.id';
