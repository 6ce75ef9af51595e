import type { Agent, Lineage } from '../src/index.ts';

/** Line of a drawn tree: branches and entry. */
export interface TreeLine {
  readonly branches: string;
  readonly agent: Agent;
  readonly isRoot: boolean;
}

/**
 * Draws a lineage as a tree: oldest ancestor first, every child under its parent. Draws each entry once, even if the
 * edges form a cycle. A descendant whose parent isn't shown is placed under the requested entry.
 */
export function treeLines({ root, ancestors, descendants }: Lineage): TreeLine[] {
  const line = [...ancestors.map(({ agent }) => agent).reverse(), root];
  const shown = new Set([...line, ...descendants.map(({ agent }) => agent)].map(({ id }) => id));
  const children = new Map<string, Agent[]>();
  const hung = new Set([line[0]?.id]);
  const hang = (parentId: string, child: Agent) => {
    if (hung.has(child.id)) return;
    hung.add(child.id);
    children.set(parentId, [...(children.get(parentId) ?? []), child]);
  };
  for (const [index, agent] of line.entries()) {
    const parent = line[index - 1];
    if (parent) hang(parent.id, agent);
  }
  for (const { agent, parentId } of descendants) {
    const isShown = parentId !== null && parentId !== agent.id && shown.has(parentId);
    hang(isShown ? parentId : root.id, agent);
  }

  const draw = (agent: Agent, branches: string, indent: string): TreeLine[] => {
    const below = children.get(agent.id) ?? [];
    return [
      { branches, agent, isRoot: agent.id === root.id },
      ...below.flatMap((child, index) =>
        index < below.length - 1
          ? draw(child, `${indent}├─ `, `${indent}│  `)
          : draw(child, `${indent}└─ `, `${indent}   `),
      ),
    ];
  };
  return draw(line[0] ?? root, '', '');
}
