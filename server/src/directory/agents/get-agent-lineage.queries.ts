import { batchRows } from '../../platform/batching/batch-source.ts';
import { createBatchedRead } from '../../platform/batching/batched-read.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { flowsInFull } from '../../scoring/facts/counts-for-creator.fragment.ts';
import { AGENT_COLUMNS, AGENT_TABLES } from './agent-record.queries.ts';
import type { AgentRecord } from './agent-record.ts';

/**
 * A member of a listing's family, with its relation to its parent: the parent's id, and the parent's current score
 * without its lineage signal. These fields are null for a listing without a parent.
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

/** Maximum ancestors read, because families can have any size. Reads one row more, to detect truncation. */
export const MAX_ANCESTORS = 64;
export const MAX_DESCENDANTS = 1_000;
/** Maximum families per batch: a famous repository's family has a thousand rows. */
const FAMILIES_PER_BATCH = 8;

/** Walks up the parents. Stops at a cycle, although none can be stored. */
const ANCESTORS = `WITH RECURSIVE above (id, depth, seen) AS (
    SELECT root.parent_id, 1, ARRAY[root.subject_id, root.parent_id] WHERE root.parent_id IS NOT NULL
    UNION ALL
    SELECT l.parent_id, above.depth + 1, above.seen || l.parent_id FROM above JOIN listing l ON l.subject_id = above.id
    WHERE l.parent_id IS NOT NULL AND l.parent_id <> ALL (above.seen) AND above.depth <= ${MAX_ANCESTORS})
  SELECT id, -depth AS depth, ARRAY[]::text[] COLLATE "C" AS place FROM above`;

/**
 * Walks down breadth first, children of one parent by id. PostgreSQL evaluates the walk lazily, so the LIMIT stops it
 * before it reads a million forks.
 */
const DESCENDANTS = `WITH RECURSIVE below (id, depth, seen, place) AS (
    SELECT root.subject_id, 0, ARRAY[root.subject_id], ARRAY[]::text[] COLLATE "C"
    UNION ALL
    SELECT child.subject_id, below.depth + 1, below.seen || child.subject_id, below.place || child.agent_id
    FROM below CROSS JOIN LATERAL (SELECT l.subject_id, l.agent_id FROM listing l
      WHERE l.parent_id = below.id AND l.subject_id <> ALL (below.seen)
      ORDER BY l.agent_id LIMIT ${MAX_DESCENDANTS + 1}) AS child)
  SELECT id, depth, place FROM below LIMIT ${MAX_DESCENDANTS + 2}`;

/** OFFSET 0 makes PostgreSQL look up each member by id; otherwise it expects many and scans whole tables. */
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
