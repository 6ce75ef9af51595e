import type { Connection } from '../database/connect.ts';

export interface Relative {
  id: string;
  /** Edges away from where the walk began. */
  depth: number;
}

/** A listing's edge to its parent with the parent's current score without its own lineage signal, null without one. */
export interface ParentEdge {
  childId: string;
  parentAgentId: string;
  relation: string;
  acknowledged: boolean;
  ownTrust: number | null;
  ownConfidence: number | null;
}

/** The chain of parents, nearest first, at most `most` of them. A circle, which cannot be made, would end the walk. */
export function findAncestors(connection: Connection, subjectId: string, most: number): Promise<Relative[]> {
  return connection.query<Relative>(
    `WITH RECURSIVE above (id, depth, seen) AS (
       SELECT parent_id, 1, ARRAY[subject_id, parent_id] FROM listing
       WHERE subject_id = $1 AND parent_id IS NOT NULL
       UNION ALL
       SELECT l.parent_id, above.depth + 1, above.seen || l.parent_id FROM above JOIN listing l ON l.subject_id = above.id
       WHERE l.parent_id IS NOT NULL AND l.parent_id <> ALL (above.seen) AND above.depth < $2)
     SELECT id, depth FROM above ORDER BY depth`,
    [subjectId, most],
  );
}

/**
 * Everything below a listing, breadth first, children of one parent by id, at most `most`. The walk is lazy: the LIMIT
 * ends it, so that the million forks of a famous repository are not read for a thousand of them.
 */
export function findDescendants(
  connection: Connection,
  subjectId: string,
  most: number,
): Promise<Relative[]> {
  return connection.query<Relative>(
    `WITH RECURSIVE below (id, depth, seen, place) AS (
       SELECT $1::uuid, 0, ARRAY[$1::uuid], ARRAY[]::text[] COLLATE "C"
       UNION ALL
       SELECT child.subject_id, below.depth + 1, below.seen || child.subject_id, below.place || child.agent_id
       FROM below CROSS JOIN LATERAL (SELECT l.subject_id, l.agent_id FROM listing l
         WHERE l.parent_id = below.id AND l.subject_id <> ALL (below.seen) ORDER BY l.agent_id LIMIT $2) AS child)
     SELECT id, depth FROM (SELECT id, depth, place FROM below LIMIT $2 + 1) AS walked
     WHERE depth > 0 ORDER BY depth, place`,
    [subjectId, most],
  );
}

/** The edges from these listings to their parents; a listing without a parent has none. */
export function loadParentEdges(
  connection: Connection,
  subjectIds: readonly string[],
): Promise<ParentEdge[]> {
  return connection.query<ParentEdge>(
    `SELECT l.subject_id AS "childId", p.agent_id AS "parentAgentId", l.parent_relation AS relation,
       p.creator_id = l.creator_id OR l.parent_acknowledged_at IS NOT NULL AS acknowledged,
       v.own_trust AS "ownTrust", v.own_confidence AS "ownConfidence"
     FROM listing l JOIN listing p ON p.subject_id = l.parent_id JOIN subject s ON s.id = p.subject_id
     LEFT JOIN score v ON v.subject_id = s.id AND v.version = s.current_version
     WHERE l.subject_id = ANY ($1::uuid[])`,
    [subjectIds],
  );
}
