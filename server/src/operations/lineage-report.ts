import type { Connection } from '../database/connect.ts';
import type { Naming } from '../subjects/naming.ts';
import { loadLineage, type RelationRow } from './lineage-report.repository.ts';

/** Where an agent or skill comes from. The creator's score is the creator's own; null where none is confirmed. */
export interface LineageReport {
  creator: {
    id: string;
    /** `handle`, or `host:handle`: it leads to this creator. */
    handle: string;
    score: { trust: number; confidence: number; version: string } | null;
  };
  /**
   * Claims about two subjects, by their canonical ids: neither an endorsement nor a permission. `created_by` first, then the
   * subject's own parent, then its children.
   */
  relationships: { type: string; from: string; to: string }[];
  /** There are more children than are told. */
  truncated: boolean;
}

/** A famous repository has thousands of forks; the directory's own lineage pages through more of them. */
const MOST_CHILDREN = 100;

/** What the registry knows of a subject's origin, in one statement; null where nothing stands behind the subject any more. */
export async function lineageReport(
  connection: Connection,
  subjectId: string,
  naming: Naming,
): Promise<LineageReport | null> {
  const row = await loadLineage(connection, subjectId, MOST_CHILDREN + 1, naming);
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
        .slice(0, MOST_CHILDREN)
        .map(({ id, relation }) => ({ type: relation, from: id, to: subjectId })),
    ],
    truncated: row.children.length > MOST_CHILDREN,
  };
}
