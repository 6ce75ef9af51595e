import type { Connection } from '../database/connect.ts';
import { trustEquityFlow } from '../scoring/embedded/lineage-equity.ts';
import { loadAgentRecords } from './agent-record.repository.ts';
import type { AgentRecord } from './agent-record.ts';
import { getAgent } from './get-agent.ts';
import {
  findAncestors,
  findDescendants,
  loadParentEdges,
  type ParentEdge,
} from './get-agent-lineage.repository.ts';

/** One listing of a family with the edge to its parent. */
export interface LineageEntry {
  record: AgentRecord;
  /** `AGT-` id; also given where the parent itself is beyond what is shown. */
  parentId: string | null;
  relation: string | null;
  /** The parent's creator owns or acknowledges the child; else the edge is a claim. */
  acknowledged: boolean;
  trustEquityFlow: number;
}

export interface Lineage {
  root: AgentRecord;
  /** The root's own edge to its parent. */
  rootEdge: LineageEntry;
  /** Nearest first. */
  ancestors: LineageEntry[];
  /** Breadth first, children of one parent by id. */
  descendants: LineageEntry[];
  /** Edges on the longest path from the oldest ancestor to the deepest descendant shown. */
  depth: number;
  /** More of either exist than are shown. */
  truncated: boolean;
}

/** Bounds of what is walked and shown: a family may have any size. */
const MOST_ANCESTORS = 64;
const MOST_DESCENDANTS = 1_000;

/** The family of one listing; throws not_found. */
export async function getAgentLineage(connection: Connection, agentId: string): Promise<Lineage> {
  const root = await getAgent(connection, agentId);
  const above = await findAncestors(connection, root.subjectId, MOST_ANCESTORS + 1);
  const below = await findDescendants(connection, root.subjectId, MOST_DESCENDANTS + 1);
  const ancestorIds = above.slice(0, MOST_ANCESTORS).map(({ id }) => id);
  const shown = below.slice(0, MOST_DESCENDANTS);
  const ids = [root.subjectId, ...ancestorIds, ...shown.map(({ id }) => id)];
  const entries = await loadEntries(connection, ids);
  const inOrder = (wanted: readonly string[]) => wanted.flatMap((id) => entries.get(id) ?? []);
  return {
    root,
    rootEdge: entries.get(root.subjectId) ?? toEntry(root, null),
    ancestors: inOrder(ancestorIds),
    descendants: inOrder(shown.map(({ id }) => id)),
    depth: ancestorIds.length + (shown.at(-1)?.depth ?? 0),
    truncated: above.length > MOST_ANCESTORS || below.length > MOST_DESCENDANTS,
  };
}

/** Every listing of a family. */
export function recordsOf({ root, ancestors, descendants }: Lineage): AgentRecord[] {
  return [root, ...[...ancestors, ...descendants].map(({ record }) => record)];
}

async function loadEntries(
  connection: Connection,
  ids: readonly string[],
): Promise<Map<string, LineageEntry>> {
  const records = await loadAgentRecords(connection, ids);
  const edges = await loadParentEdges(connection, ids);
  const byChild = new Map(edges.map((edge) => [edge.childId, edge]));
  return new Map(
    records.map((record) => [record.subjectId, toEntry(record, byChild.get(record.subjectId) ?? null)]),
  );
}

function toEntry(record: AgentRecord, edge: ParentEdge | null): LineageEntry {
  if (edge === null)
    return { record, parentId: null, relation: null, acknowledged: false, trustEquityFlow: 0 };
  const { ownTrust, ownConfidence, acknowledged, parentAgentId, relation } = edge;
  const score = ownTrust === null || ownConfidence === null ? null : { ownTrust, ownConfidence };
  return {
    record,
    parentId: parentAgentId,
    relation,
    acknowledged,
    trustEquityFlow: trustEquityFlow(score, acknowledged),
  };
}
