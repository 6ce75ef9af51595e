import type { LineageNode, Lineage as WireLineage } from '../generated/types.gen.ts';
import type { PublicHandles } from '../subjects/load-public-handles.ts';
import { presentAgent } from './agent.presenter.ts';
import type { Lineage, LineageEntry } from './get-agent-lineage.ts';
import { presentRelations } from './relations/relation.presenter.ts';
import type { RelationGroup } from './relations/relations.ts';

/** A family under the wire's names. */
export function presentLineage(
  lineage: Lineage,
  relations: readonly RelationGroup[],
  handles: PublicHandles,
): WireLineage {
  const presentNode = ({ record, parentId, trustEquityFlow }: LineageEntry): LineageNode => ({
    agent: presentAgent(record, handles),
    parentId,
    trustEquityFlow,
  });
  return {
    root: presentAgent(lineage.root, handles),
    ancestors: lineage.ancestors.map(presentNode),
    descendants: lineage.descendants.map(presentNode),
    relations: presentRelations(relations),
    depth: lineage.depth,
    ...(lineage.truncated ? { truncated: true } : {}),
  };
}
