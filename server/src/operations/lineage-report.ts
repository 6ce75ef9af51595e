import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import type { Connection } from '../platform/database/connect.ts';
import { loadLineage, type RelationRow } from './lineage-report.queries.ts';

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

/** Loads the lineage report of a subject in one statement; null if the registry no longer contains the subject. */
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
