import { publicHandle } from '../catalog/subjects/found-subject.fragment.ts';
import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import type { Connection } from '../platform/database/connect.ts';

/** The other subject of a stored lineage edge, and the kind of relation. */
export interface RelationRow {
  id: string;
  relation: string;
}

export interface LineageRow {
  creatorId: string;
  /** Name by which the creator can be looked up: `handle`, or `host:handle` if the handle is ambiguous. */
  handle: string;
  /** Current score of the creator; all three are null without a confirmed score. */
  trust: number | null;
  confidence: number | null;
  scoredAt: string | null;
  parentId: string | null;
  parentRelation: string | null;
  children: RelationRow[];
}

// An artifact has no lineage edges; its creator is its repository's creator.
const SQL = `
SELECT c.subject_id AS "creatorId", ${publicHandle('c', '($3::text[])')} AS handle, v.trust, v.confidence, utc_text(v.version) AS "scoredAt",
  l.parent_id AS "parentId", l.parent_relation AS "parentRelation",
  coalesce((SELECT jsonb_agg(jsonb_build_object('id', child.subject_id, 'relation', child.parent_relation) ORDER BY child.agent_id)
    FROM (SELECT subject_id, agent_id, parent_relation FROM listing WHERE parent_id = l.subject_id
      ORDER BY agent_id LIMIT $2) child), '[]') AS children
FROM subject s
LEFT JOIN listing l ON l.subject_id = s.id
LEFT JOIN artifact a ON a.subject_id = s.id
LEFT JOIN listing home ON home.subject_id = a.listing_id
JOIN creator c ON c.subject_id = coalesce(l.creator_id, home.creator_id)
JOIN subject maker ON maker.id = c.subject_id
LEFT JOIN score v ON v.subject_id = maker.id AND v.version = maker.current_version AND v.subject_type = 'creator'
WHERE s.id = $1`;

/**
 * Loads the lineage of an agent or skill: its creator with the creator's score, its parent, and its first
 * `mostChildren` children, ordered by directory id.
 */
export async function loadLineage(
  connection: Connection,
  subjectId: string,
  mostChildren: number,
  publicUrls: PublicUrls,
): Promise<LineageRow | null> {
  const [row] = await connection.query<LineageRow>(SQL, [subjectId, mostChildren, publicUrls.hosts]);
  return row ?? null;
}
