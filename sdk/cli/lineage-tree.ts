import type { Agent, Lineage } from '../src/index.ts';

/** One line of a drawn tree: the branches before an entry, and the entry. */
export interface TreeLine {
  readonly branches: string;
  readonly agent: Agent;
  readonly isRoot: boolean;
  /** Percent of equity inherited from the parent; null for an entry whose parent isn't shown. */
  readonly flow: number | null;
}

interface Child {
  readonly agent: Agent;
  readonly flow: number | null;
}

/**
 * The tree that a lineage makes: the oldest ancestor first, every child under its parent. Each entry is drawn once, also
 * where the edges go round in a circle; a descendant whose parent isn't shown hangs under the entry itself.
 */
export function treeLines({ root, ancestors, descendants }: Lineage): TreeLine[] {
  const line = [...ancestors.map(({ agent }) => agent).reverse(), root];
  const flows = new Map(ancestors.map(({ agent, trustEquityFlow }) => [agent.id, trustEquityFlow]));
  const shown = new Set([...line, ...descendants.map(({ agent }) => agent)].map(({ id }) => id));
  const children = new Map<string, Child[]>();
  const hung = new Set([line[0]?.id]);
  const hang = (parentId: string, child: Child) => {
    if (hung.has(child.agent.id)) return;
    hung.add(child.agent.id);
    children.set(parentId, [...(children.get(parentId) ?? []), child]);
  };
  for (const [index, agent] of line.entries()) {
    const parent = line[index - 1];
    if (parent) hang(parent.id, { agent, flow: flows.get(agent.id) ?? null });
  }
  for (const { agent, parentId, trustEquityFlow: flow } of descendants) {
    const isShown = parentId !== null && parentId !== agent.id && shown.has(parentId);
    hang(isShown ? parentId : root.id, { agent, flow });
  }

  const draw = ({ agent, flow }: Child, branches: string, indent: string): TreeLine[] => {
    const own = { branches, agent, flow, isRoot: agent.id === root.id };
    const below = children.get(agent.id) ?? [];
    return [
      own,
      ...below.flatMap((child, index) =>
        index < below.length - 1
          ? draw(child, `${indent}├─ `, `${indent}│  `)
          : draw(child, `${indent}└─ `, `${indent}   `),
      ),
    ];
  };
  return draw({ agent: line[0] ?? root, flow: null }, '', '');
}
