import { publicHandle } from '../catalog/subjects/found-subject.fragment.ts';
import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import type { Connection } from '../platform/database/connect.ts';

/** The parent or a child of the reported subject, and how it is related. */
interface RelationRow {
  id: string;
  relation: string;
}

interface LineageRow {
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

// An artifact has no lineage edges. The creator of an artifact is the creator of its repository.
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
async function loadLineage(
  connection: Connection,
  subjectId: string,
  mostChildren: number,
  publicUrls: PublicUrls,
): Promise<LineageRow | null> {
  const [row] = await connection.query<LineageRow>(SQL, [subjectId, mostChildren, publicUrls.hosts]);
  return row ?? null;
}

/**
 * Creator, parent and children of an agent or skill. The score is the creator's; null if the creator has no confirmed
 * score.
 */
export interface LineageReport {
  creator: {
    id: string;
    /** Name by which the creator can be looked up: `handle`, or `host:handle` if the handle is ambiguous. */
    handle: string;
    score: { trust: number; confidence: number; version: string } | null;
  };
  /**
   * Relations between two canonical ids, first `created_by`, then the subject's parent, then its children. They are
   * claims, neither endorsements nor permissions.
   */
  relationships: { type: string; from: string; to: string }[];
  /** True if there are more children than listed. */
  truncated: boolean;
}

/**
 * Maximum children in the report. Famous repositories have thousands of forks; the directory's lineage route pages
 * through them.
 */
const MAX_CHILDREN = 100;

/** Loads the lineage report of a subject in one statement; null if the directory no longer has the subject. */
export async function lineageReport(
  connection: Connection,
  subjectId: string,
  publicUrls: PublicUrls,
): Promise<LineageReport | null> {
  const row = await loadLineage(connection, subjectId, MAX_CHILDREN + 1, publicUrls);
  if (!row) return null;
  const { creatorId, handle, trust, confidence, scoredAt, parentId, parentRelation } = row;
  const isScored = trust !== null && confidence !== null && scoredAt !== null;
  const parent: RelationRow[] =
    parentId && parentRelation ? [{ id: parentId, relation: parentRelation }] : [];
  return {
    creator: {
      id: creatorId,
      handle,
      score: isScored ? { trust, confidence, version: scoredAt } : null,
    },
    relationships: [
      { type: 'created_by', from: subjectId, to: creatorId },
      ...parent.map(({ id, relation }) => ({ type: relation, from: subjectId, to: id })),
      ...row.children
        .slice(0, MAX_CHILDREN)
        .map(({ id, relation }) => ({ type: relation, from: id, to: subjectId })),
    ],
    truncated: row.children.length > MAX_CHILDREN,
  };
}
