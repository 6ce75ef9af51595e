import type { PublicUrls } from '../catalog/subjects/public-path.ts';
import type { Connection } from '../platform/database/connect.ts';
import { loadLineage, type RelationRow } from './lineage-report.queries.ts';

/** Origin of an agent or skill. The score is the creator's own; null if none is confirmed. */
export interface LineageReport {
  creator: {
    id: string;
    /** `handle`, or `host:handle`; resolves to this creator. */
    handle: string;
    score: { trust: number; confidence: number; version: string } | null;
  };
  /**
   * Claims about two subjects, by canonical id; neither endorsements nor permissions. First `created_by`, then the
   * subject's parent, then its children.
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

/** Loads a subject's origin from the registry in one statement; null if the registry no longer contains the subject. */
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
