import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseParents, type Descent, LINEAGE_RELATIONS } from './choose-parents.ts';

function edge(child: string, parent: string, overrides: Partial<Descent> = {}): Descent {
  return {
    child,
    parent,
    relation: 'fork_of',
    stated: true,
    claimNumber: 0,
    childName: child,
    parentName: parent,
    ...overrides,
  };
}

const name = fc.constantFrom(...'abcdefgh');
const edges = fc.array(
  fc
    .record({
      child: name,
      parent: name,
      relation: fc.constantFrom(...LINEAGE_RELATIONS),
      stated: fc.boolean(),
    })
    .filter(({ child, parent }) => child !== parent)
    .map(({ child, parent, ...rest }) => edge(child, parent, rest)),
  { maxLength: 30 },
);

describe('chooseParents', () => {
  it('prefers the strongest relation, then a stated one over a claimed one', () => {
    const fork = edge('c', 'b');
    const { chosen } = chooseParents([
      edge('c', 'a', { relation: 'copied_from' }),
      edge('c', 'd', { stated: false }),
      fork,
      edge('c', 'e', { relation: 'port_of' }),
    ]);

    expect([...chosen.values()]).toEqual([fork]);
  });

  it('lets a claim made here replace neither an earlier claim nor a source’s statement', () => {
    const { chosen, circular } = chooseParents([
      edge('a', 'b', { claimNumber: 9 }),
      edge('b', 'a', { claimNumber: 5 }),
      edge('c', 'd', { claimNumber: 2 }),
      edge('d', 'c'),
    ]);

    expect([...chosen.keys()].sort()).toEqual(['b', 'd']);
    expect(circular.map(({ child }) => child).sort()).toEqual(['a', 'c']);
  });

  it('falls back to the next statement if the strongest closes a cycle', () => {
    const { chosen, circular } = chooseParents([
      edge('a', 'b'),
      edge('b', 'a'),
      edge('b', 'c', { relation: 'built_on' }),
    ]);

    expect([...chosen].map(([child, { parent }]) => [child, parent])).toEqual([
      ['a', 'b'],
      ['b', 'c'],
    ]);
    expect(circular).toEqual([edge('b', 'a')]);
  });

  it('never creates a cycle, whatever is stated', () => {
    fc.assert(
      fc.property(edges, (statements) => {
        const { chosen } = chooseParents(statements);
        for (const start of chosen.keys()) {
          const seen = new Set([start]);
          for (let at = chosen.get(start)?.parent; at !== undefined; at = chosen.get(at)?.parent) {
            expect(seen.has(at)).toBe(false);
            seen.add(at);
          }
        }
      }),
    );
  });

  it('leaves a child without a parent only if all statements about it close a cycle', () => {
    fc.assert(
      fc.property(edges, (statements) => {
        const { chosen, circular } = chooseParents(statements);
        for (const statement of statements) {
          if (!chosen.has(statement.child)) expect(circular).toContain(statement);
        }
      }),
    );
  });

  it('chooses the same parents in whatever order the statements come', () => {
    fc.assert(
      fc.property(
        edges.chain((list) =>
          fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length })),
        ),
        ([statements, shuffled]) => {
          const parents = (list: Descent[]) => [...chooseParents(list).chosen.values()].sort(byChild);
          expect(parents(shuffled)).toEqual(parents(statements));
        },
      ),
    );
  });
});

function byChild(a: Descent, b: Descent): number {
  return a.child < b.child ? -1 : 1;
}
