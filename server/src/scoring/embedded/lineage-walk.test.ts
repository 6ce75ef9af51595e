import { describe, expect, it } from 'vitest';
import { walkLineage } from './lineage-equity.ts';

function along(edges: Record<string, string[]>) {
  return (id: string) => edges[id] ?? [];
}

describe('walkLineage', () => {
  it('reaches everything once, nearest first', () => {
    const walk = walkLineage('a', along({ a: ['b', 'c'], b: ['d'], c: ['d', 'e'] }));

    expect(walk.reached).toEqual([
      { id: 'b', depth: 1 },
      { id: 'c', depth: 1 },
      { id: 'd', depth: 2 },
      { id: 'e', depth: 2 },
    ]);
    expect(walk).toMatchObject({ cycles: [], truncated: false });
  });

  it('drops and reports an edge that closes a cycle', () => {
    const walk = walkLineage('a', along({ a: ['b'], b: ['c'], c: ['a', 'b', 'd'] }));

    expect(walk.reached.map(({ id }) => id)).toEqual(['b', 'c', 'd']);
    expect(walk.cycles).toEqual([
      { from: 'c', to: 'a' },
      { from: 'c', to: 'b' },
    ]);
  });

  it('reports a subject that is its own parent', () => {
    expect(walkLineage('a', along({ a: ['a'] }))).toEqual({
      reached: [],
      cycles: [{ from: 'a', to: 'a' }],
      truncated: false,
    });
  });

  it('ends after 64 generations and says that there is more', () => {
    const next = (id: string) => [String(Number(id) + 1)];

    const walk = walkLineage('0', next);

    expect(walk.reached).toHaveLength(64);
    expect(walk.reached.at(-1)).toEqual({ id: '64', depth: 64 });
    expect(walk.truncated).toBe(true);
  });

  it('does not report a chain of exactly 64 generations as truncated', () => {
    const next = (id: string) => (Number(id) < 64 ? [String(Number(id) + 1)] : []);

    expect(walkLineage('0', next)).toMatchObject({ truncated: false, cycles: [] });
  });
});
