import { describe, expect, it } from 'vitest';
import type { LineageEntry } from '../../../directory/agents/get-agent.ts';
import type { ReasonCode } from '../../../scoring/verdict/reasons.ts';
import { NODE } from '../relations/family-layout.ts';
import { NO_RELATIONS, type PageRelations } from '../relations/linked-relations.ts';
import { layOutLineage } from './lineage-section.tsx';
import type { ListingPage, Relative } from './listing.page.tsx';

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
    ownEntry: own,
    ancestors: ancestors.map((id, index) => relative(id, ancestors[index + 1] ?? null)),
    descendants: descendants.map(([id, parent]) => relative(id, parent)),
  } as ListingPage;
}

describe('layOutLineage', () => {
  it("places the parent left, the page's own box in the middle, descendants right", () => {
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

  it('never writes a label across its line', () => {
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

  it('never lets two boxes overlap, even in a large family', () => {
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

  it('states how many ancestors are omitted', () => {
    expect(layOutLineage(family(['a', 'b', 'c'], [])).hiddenBefore).toBe(1);
    expect(layOutLineage(family(['a', 'b', 'c'], [['d', 'self']])).hiddenBefore).toBe(2);
  });

  it('places other relations too: origins and old names left, the rest right, in reading order', () => {
    const relations = relationsOf(
      ['inspired_by', 'out', 1],
      ['renamed_to', 'in', 1],
      ['same_tool_manifest', 'both', 1],
      ['successor_of', 'in', 1],
    );

    const { nodes, edges } = layOutLineage(family(['parent'], [['child', 'self']], relations));

    const order = nodes.map(({ key }) => key.replace(/ .*/, ''));
    expect(order).toEqual([
      ...['parent', 'inspired_by', 'renamed_to', 'self'],
      ...['child', 'same_tool_manifest', 'successor_of'],
    ]);
    expect(nodes.filter(({ says }) => says === null).map(({ key }) => key)).toEqual(['self']);
    expect(edges.find(({ key }) => key.startsWith('inspired_by'))).toMatchObject({ claimed: true });
  });

  it('shows no figures of a relative whose score is a default', () => {
    const relations = relationsOf(['same_tool_manifest', 'both', 1]);
    const [relation] = relations.groups[0]?.shown ?? [];
    if (relation === undefined) throw new Error('the group shows a relation');
    const lineWith = (reasons: ReasonCode[]) => {
      Object.assign(relation.other, { trust: 39, confidence: 1.4, reasons });
      return layOutLineage(family([], [], relations)).nodes.find(({ key }) => key.startsWith('same'))?.line;
    };

    expect(lineWith(['use_unknown', 'license_unknown'])).toBe('not enough evidence');
    expect(lineWith(['use_unknown', 'open_source'])).toBe('trust 39 · 1%');
  });

  it('is bounded for any number of relations, and states how many are omitted', () => {
    const children = Array.from({ length: 20 }, (_, index): [string, string] => [`c${index}`, 'self']);
    const kinds = ['a', 'b', 'c', 'd', 'e', 'f'].map((kind) => [kind, 'in', 40] as const);

    const drawing = layOutLineage(family([], children, relationsOf(...kinds)));

    expect(drawing.nodes).toHaveLength(9);
    expect(drawing.hiddenAfter).toBe(20 + 6 * 40 - 8);
  });
});

/** Creates a group for each kind, direction and total. Each group shows one of its relations. */
function relationsOf(...kinds: (readonly [string, 'in' | 'out' | 'both', number])[]): PageRelations {
  const groups = kinds.map(([kind, direction, others]) => {
    const other = {
      id: `of ${kind}`,
      repository: `acme/${kind}`,
      name: kind,
      isInside: false,
      trust: null,
      confidence: null,
      verdict: null,
    };
    const shown = [{ other, files: 0, path: `/s/acme/${kind}`, stated: false }];
    return { kind, direction, others, files: 0, ofFiles: false, oldest: null, shown, all: null };
  });
  return { ...NO_RELATIONS, groups } as never;
}
