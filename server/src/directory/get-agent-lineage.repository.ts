import { batchRows } from '../database/batch.condition.ts';
import type { Connection } from '../database/connect.ts';
import { readTogether } from '../database/read-together.ts';
import { flowsInFull } from '../scoring/facts/own-listing.condition.ts';
import { AGENT_COLUMNS, AGENT_TABLES } from './agent-record.sql.ts';
import type { AgentRecord } from './agent-record.ts';

/**
 * One listing of a family with its edge to its parent: that one's id and current score without its own lineage signal,
 * null without one. All of the edge is null for a listing without a parent.
 */
export interface FamilyMember extends AgentRecord {
  /** Edges away from where the walk began: below zero above it, zero for that listing itself. */
  depth: number;
  parentAgentId: string | null;
  relation: string | null;
  acknowledged: boolean | null;
  ownTrust: number | null;
  ownConfidence: number | null;
}

/** Bounds of what is walked and read: a family may have any size. One more of each than is shown tells that there are more. */
export const MOST_ANCESTORS = 64;
export const MOST_DESCENDANTS = 1_000;
/** A famous repository's family is a thousand rows. */
const FAMILIES_TOGETHER = 8;

/** The chain of parents. A circle, which cannot be made, would end the walk. */
const ABOVE = `WITH RECURSIVE above (id, depth, seen) AS (
    SELECT root.parent_id, 1, ARRAY[root.subject_id, root.parent_id] WHERE root.parent_id IS NOT NULL
    UNION ALL
    SELECT l.parent_id, above.depth + 1, above.seen || l.parent_id FROM above JOIN listing l ON l.subject_id = above.id
    WHERE l.parent_id IS NOT NULL AND l.parent_id <> ALL (above.seen) AND above.depth <= ${MOST_ANCESTORS})
  SELECT id, -depth AS depth, ARRAY[]::text[] COLLATE "C" AS place FROM above`;

/**
 * Everything below, breadth first, children of one parent by id. The walk is lazy: the LIMIT ends it, so that the million
 * forks of a famous repository are not read for a thousand of them.
 */
const BELOW = `WITH RECURSIVE below (id, depth, seen, place) AS (
    SELECT root.subject_id, 0, ARRAY[root.subject_id], ARRAY[]::text[] COLLATE "C"
    UNION ALL
    SELECT child.subject_id, below.depth + 1, below.seen || child.subject_id, below.place || child.agent_id
    FROM below CROSS JOIN LATERAL (SELECT l.subject_id, l.agent_id FROM listing l
      WHERE l.parent_id = below.id AND l.subject_id <> ALL (below.seen)
      ORDER BY l.agent_id LIMIT ${MOST_DESCENDANTS + 1}) AS child)
  SELECT id, depth, place FROM below LIMIT ${MOST_DESCENDANTS + 2}`;

/** Each member is looked up by its id: OFFSET keeps PostgreSQL from reading whole tables for the few that it expects. */
const readFamilies = readTogether<{ id: string }, FamilyMember>({
  sql: `SELECT asked.n, walked.depth, member.*
    FROM (${batchRows('id text')}) AS asked JOIN listing root ON root.agent_id = asked.id
    CROSS JOIN LATERAL ((${ABOVE}) UNION ALL (${BELOW})) AS walked
    CROSS JOIN LATERAL (SELECT ${AGENT_COLUMNS}, p.agent_id AS "parentAgentId", l.parent_relation AS relation,
        ${flowsInFull('l', 'p', 'c')} AS acknowledged,
        own.own_trust AS "ownTrust", own.own_confidence AS "ownConfidence"
      FROM ${AGENT_TABLES} LEFT JOIN listing p ON p.subject_id = l.parent_id
      LEFT JOIN subject ps ON ps.id = p.subject_id
      LEFT JOIN score own ON own.subject_id = ps.id AND own.version = ps.current_version
      WHERE l.subject_id = walked.id OFFSET 0) AS member
    ORDER BY asked.n, walked.depth, walked.place`,
  maxBatch: FAMILIES_TOGETHER,
});

/**
 * The family of the listing with this `AGT-` id, in upper case, as one moment has it: the farthest ancestor first, then the
 * listing itself, then what is below it. Empty where no listing has the id.
 */
export function findFamily(connection: Connection, agentId: string): Promise<FamilyMember[]> {
  return readFamilies(connection, { id: agentId });
}
