import type { LineageNode, Lineage as WireLineage } from '../generated/types.gen.ts';
import { presentAgent } from './agent.presenter.ts';
import type { Lineage, LineageEntry } from './get-agent-lineage.ts';

/** A family under the wire's names. */
export function presentLineage(lineage: Lineage): WireLineage {
  return {
    root: presentAgent(lineage.root),
    ancestors: lineage.ancestors.map(presentNode),
    descendants: lineage.descendants.map(presentNode),
    depth: lineage.depth,
    ...(lineage.truncated ? { truncated: true } : {}),
  };
}

function presentNode({ record, parentId, trustEquityFlow }: LineageEntry): LineageNode {
  return { agent: presentAgent(record), parentId, trustEquityFlow };
}
