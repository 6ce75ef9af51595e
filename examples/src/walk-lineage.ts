import type { Agent, Lineage, TrustDirectory } from '@trust-directory/sdk';
import type { Example } from './example.ts';
import { scoreText } from './score-text.ts';

/**
 * Draws the ancestors and descendants of an entry as a tree. The first argument is its directory id, or words to search
 * for (by default `fork`): then the most trusted match that has relatives is drawn.
 */
export const walkLineage: Example = async (client, print, which = 'fork') => {
  const lineage = which.startsWith('AGT-') ? await client.agents.lineage(which) : await search(client, which);
  if (!lineage) {
    print(`No entry matches "${which}".`);
    return;
  }
  for (const line of drawTree(lineage)) print(line);
  print(
    `${lineage.ancestors.length} ancestors, ${lineage.descendants.length} descendants, depth ${lineage.depth}`,
  );
  if (lineage.truncated) print('There are more than are shown.');
};

/** Returns the lineage of the first of 20 matches that has relatives; if none has, that of the last of them. */
async function search(client: TrustDirectory, text: string): Promise<Lineage | undefined> {
  const { data } = await client.agents.list({ q: text, limit: 20 });
  let lineage: Lineage | undefined;
  for (const { id } of data) {
    lineage = await client.agents.lineage(id);
    if (lineage.ancestors.length + lineage.descendants.length > 0) break;
  }
  return lineage;
}

/** Draws one line per entry, the oldest ancestor first and every child under its parent. The entry itself is marked. */
export function drawTree({ root, ancestors, descendants }: Lineage): string[] {
  const line = [...ancestors.map(({ agent }) => agent).reverse(), root];
  const children = new Map<string, Agent[]>();
  const addChild = (parentId: string, child: Agent) => {
    children.set(parentId, [...(children.get(parentId) ?? []), child]);
  };
  for (const [index, child] of line.entries()) {
    const parent = line[index - 1];
    if (parent) addChild(parent.id, child);
  }
  for (const { agent, parentId } of descendants) addChild(parentId ?? root.id, agent);

  const draw = (entry: Agent, lead: string, indent: string): string[] => [
    `${lead}${entry.id === root.id ? '* ' : ''}${entry.name}: ${scoreText(entry.trustScore, entry.confidence)}`,
    ...(children.get(entry.id) ?? []).flatMap((child, index, all) =>
      index < all.length - 1
        ? draw(child, `${indent}├─ `, `${indent}│  `)
        : draw(child, `${indent}└─ `, `${indent}   `),
    ),
  ];
  return draw(line[0] ?? root, '', '');
}
