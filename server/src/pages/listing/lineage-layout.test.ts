import { describe, expect, it } from 'vitest';
import type { LineageEntry } from '../../directory/get-agent-lineage.ts';
import { NODE } from '../relations/family-layout.ts';
import { NO_RELATIONS, type PageRelations } from '../relations/page-relations.ts';
import { layOutLineage } from './lineage-layout.ts';
import type { ListingPage, Relative } from './listing-page-data.ts';

function relative(id: string, parentId: string | null, acknowledged = true): Relative {
  const record = { agentId: id, name: `name ${id}`, trust: 50, confidence: 40 } as LineageEntry['record'];
  const entry = { record, parentId, relation: 'based_on', acknowledged, trustEquityFlow: 12.5 };
  return { entry, link: { path: `/a/${id}`, text: id } };
}

function family(
  ancestors: string[],
  descendants: [id: string, parent: string][],
  relations: PageRelations = NO_RELATIONS,
): ListingPage {
  const own = relative('self', ancestors[0] ?? null, false).entry;
  return {
    subject: { publicPath: '/a/self' },
    record: own.record,
    relations,
    own,
    ancestors: ancestors.map((id, index) => relative(id, ancestors[index + 1] ?? null)),
    descendants: descendants.map(([id, parent]) => relative(id, parent)),
  } as ListingPage;
}

describe('layOutLineage', () => {
  it('goes from left to right: the parent, the page itself, what derives from it', () => {
    const { nodes, edges } = layOutLineage(family(['parent'], [['child', 'self']]));

    const order = [...nodes].sort((a, b) => a.x - b.x).map(({ key }) => key);
    expect(order).toEqual(['parent', 'self', 'child']);
    expect(nodes.filter(({ path }) => path === null).map(({ key }) => key)).toEqual(['self']);
    expect(edges).toHaveLength(2);
  });

  it('draws a claimed edge as claimed, with the equity that it passes on', () => {
    const { edges } = layOutLineage(family(['parent'], [['child', 'self']]));

    expect(edges.map(({ key, claimed }) => [key, claimed])).toEqual(
      expect.arrayContaining([
        ['self', true],
        ['child', false],
      ]),
    );
    expect(edges[0]?.equity).toBe(12.5);
  });

  it('writes no figure across the line that it belongs to', () => {
    const { nodes, edges } = layOutLineage(
      family(
        [],
        [
          ['above', 'self'],
          ['below', 'self'],
        ],
      ),
    );

    const offsetOf = (name: string) => {
      const node = nodes.find(({ key }) => key === name);
      const edge = edges.find(({ key }) => key === name);
      return (edge?.labelY ?? 0) - ((node?.y ?? 0) + NODE.height / 2);
    };
    expect(offsetOf('above')).toBeLessThan(0);
    expect(offsetOf('below')).toBeGreaterThan(10);
  });

  it('never lets two boxes overlap, however wide the family', () => {
    const children = Array.from({ length: 20 }, (_, index): [string, string] => [`c${index}`, 'self']);
    const { nodes, hiddenAfter, height } = layOutLineage(family([], [...children, ['g', 'c0'], ['h', 'c0']]));

    for (const one of nodes)
      for (const other of nodes) {
        const apart = Math.abs(one.x - other.x) >= NODE.width || Math.abs(one.y - other.y) >= NODE.height;
        expect(one === other || apart).toBe(true);
      }
    expect(height).toBeLessThan(600);
    expect(nodes.length - 1 + hiddenAfter).toBe(22);
  });

  it('says how many ancestors have no place', () => {
    expect(layOutLineage(family(['a', 'b', 'c'], [])).hiddenBefore).toBe(1);
    expect(layOutLineage(family(['a', 'b', 'c'], [['d', 'self']])).hiddenBefore).toBe(2);
  });
});
