import { expect, it } from 'vitest';
import { agent } from '../test/samples.ts';
import { treeLines } from './lineage-tree.ts';

const entry = (id: string) => ({ ...agent, id, name: id });
const node = (id: string, parentId: string | null) => ({ agent: entry(id), parentId, trustEquityFlow: 1 });
const drawn = (...parts: Parameters<typeof treeLines>) =>
  treeLines(...parts).map(
    ({ branches, agent: { name }, isRoot }) => `${branches}${isRoot ? '*' : ''}${name}`,
  );

it('draws the oldest ancestor first and every child under its parent', () => {
  const lineage = {
    root: entry('root'),
    ancestors: [node('parent', 'oldest'), node('oldest', null)],
    descendants: [node('a', 'root'), node('b', 'root'), node('a1', 'a'), node('a2', 'a'), node('b1', 'b')],
    depth: 4,
  };

  expect(drawn(lineage)).toEqual([
    'oldest',
    '└─ parent',
    '   └─ *root',
    '      ├─ a',
    '      │  ├─ a1',
    '      │  └─ a2',
    '      └─ b',
    '         └─ b1',
  ]);
});

it('draws each entry once, even with a cycle', () => {
  const lineage = {
    root: entry('root'),
    ancestors: [node('a', 'root')],
    descendants: [node('a', 'root'), node('b', 'b'), node('root', 'a')],
    depth: 2,
  };

  expect(drawn(lineage)).toEqual(['a', '└─ *root', '   └─ b']);
});

it('places a descendant without a shown parent under the entry', () => {
  const lineage = { root: entry('root'), ancestors: [], descendants: [node('far', 'hidden')], depth: 2 };

  expect(drawn(lineage)).toEqual(['*root', '└─ far']);
});
