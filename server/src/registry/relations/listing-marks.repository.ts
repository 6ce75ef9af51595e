import { batchRows } from '../../database/batch.condition.ts';
import { readTogether } from '../../database/read-together.ts';

/** One listing of which a relation of another one speaks. */
export interface MarkRow {
  mark: 'newer' | 'older' | 'copy';
  id: string;
  agentId: string;
  type: 'agent' | 'skill';
  name: string;
  repository: string;
  relation: string;
  stated: boolean;
}

const RENAMES = "r.type IN ('renamed_to', 'probable_rename_to') AND r.directed";
/** What makes one whole repository a copy of another; forks are lineage. */
const COPIES = "r.type IN ('duplicate_of', 'copied_from', 'same_name_and_description', 'same_tool_manifest')";
/** Old names of one listing that are told of. */
const SHOWN_OLDER = 3;
/** Renames one after the other are followed so far. */
const LONGEST_CHAIN = 16;

// A circle of renames tells no newest name. Which of two is the copy an undirected relation does not say: the later
// repository is, where both times are known.
const MARKS = `WITH RECURSIVE asked AS (${batchRows('id uuid')}),
chain (n, id, relation, stated, depth, seen, circle) AS (
  SELECT n, id, NULL::text, true, 0, ARRAY[id], false FROM asked
  UNION ALL
  SELECT chain.n, step.id, step.type, chain.stated AND step.stated, chain.depth + 1, chain.seen || step.id,
    step.id = ANY (chain.seen)
  FROM chain CROSS JOIN LATERAL (SELECT r.to_listing_id AS id, r.type, r.stated FROM relation r
    WHERE r.from_listing_id = chain.id AND r.from_path IS NULL AND r.to_path IS NULL AND r.to_listing_id IS NOT NULL
      AND r.to_listing_id <> r.from_listing_id AND ${RENAMES} ORDER BY r.stated DESC, r.id LIMIT 1) AS step
  WHERE NOT chain.circle AND chain.depth < ${LONGEST_CHAIN}),
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
  ORDER BY n, stated DESC, directed DESC, place)
SELECT found.n, found.mark, l.subject_id AS id, l.agent_id AS "agentId", l.type, l.name, l.repository, found.relation,
  found.stated
FROM (SELECT n, 'newer' AS mark, id, relation, stated FROM newer UNION ALL SELECT n, 'older', id, relation, stated FROM older
  UNION ALL SELECT n, 'copy', id, relation, stated FROM copy) AS found JOIN listing l ON l.subject_id = found.id
ORDER BY found.n, found.mark, lower(l.repository), l.subject_id`;

/** What relations mark one listing with, in one statement for all that are asked about at a time. */
export const findMarks = readTogether<{ id: string }, MarkRow>({ sql: MARKS });
