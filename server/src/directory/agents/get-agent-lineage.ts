import type { Connection } from '../../platform/database/connect.ts';
import { trustEquityFlow } from '../../scoring/embedded/lineage-equity.ts';
import type { AgentRecord } from './agent-record.ts';
import { missingAgent } from './get-agent.ts';
import {
  type FamilyMember,
  findFamily,
  MAX_ANCESTORS,
  MAX_DESCENDANTS,
} from './get-agent-lineage.queries.ts';

/** A member of a family, with its relation to its parent. */
export interface LineageEntry {
  record: AgentRecord;
  /** `AGT-` id of the parent, even if the parent is not shown. */
  parentId: string | null;
  relation: string | null;
  /** True if the parent's creator owns or acknowledges the child; otherwise the relation is only a claim. */
  acknowledged: boolean;
  trustEquityFlow: number;
}

export interface Lineage {
  root: AgentRecord;
  /** Relation of the requested listing to its parent. */
  rootEdge: LineageEntry;
  /** Ancestors of the agent, nearest first. */
  ancestors: LineageEntry[];
  /** Descendants breadth first, children of one parent by id. */
  descendants: LineageEntry[];
  /** Number of generations between the oldest ancestor and the deepest descendant shown. */
  depth: number;
  /** True if there are more ancestors or descendants than shown. */
  truncated: boolean;
}

/** Returns the family of one listing. Throws not_found. */
export async function getAgentLineage(connection: Connection, agentId: string): Promise<Lineage> {
  const family = await findFamily(connection, agentId.toUpperCase());
  const root = family.find(({ depth }) => depth === 0);
  if (!root) throw await missingAgent(connection, agentId);
  const above = family.filter(({ depth }) => depth < 0).reverse();
  const below = family.filter(({ depth }) => depth > 0);
  const ancestors = above.slice(0, MAX_ANCESTORS);
  const shown = below.slice(0, MAX_DESCENDANTS);
  return {
    root,
    rootEdge: toEntry(root),
    ancestors: ancestors.map(toEntry),
    descendants: shown.map(toEntry),
    depth: ancestors.length + (shown.at(-1)?.depth ?? 0),
    truncated: above.length > MAX_ANCESTORS || below.length > MAX_DESCENDANTS,
  };
}

/** Returns the records of all members of a family. */
export function recordsOf({ root, ancestors, descendants }: Lineage): AgentRecord[] {
  return [root, ...[...ancestors, ...descendants].map(({ record }) => record)];
}

function toEntry(record: FamilyMember): LineageEntry {
  const { parentAgentId, relation, ownTrust, ownConfidence } = record;
  const acknowledged = record.acknowledged ?? false;
  const score = ownTrust === null || ownConfidence === null ? null : { ownTrust, ownConfidence };
  const flow = parentAgentId === null ? 0 : trustEquityFlow(score, acknowledged);
  return { record, parentId: parentAgentId, relation, acknowledged, trustEquityFlow: flow };
}
