import { describe, expect, it } from 'vitest';
import { type CreatorEdge, computeGraphEquity, eigenTrust } from './creator-graph.ts';

function edge(from: string, to: string, count = 1): CreatorEdge {
  return { from, to, count };
}

const published = [
  edge('b', 'a', 3),
  edge('c', 'a', 1),
  edge('c', 'b', 1),
  edge('d', 'e', 10),
  edge('e', 'd', 10),
];

function rounded(trust: Map<string, number> | undefined): number[] {
  return ['a', 'b', 'c', 'd', 'e'].map((id) => Number(trust?.get(id)?.toFixed(4)));
}

describe('eigenTrust', () => {
  it('gives the published trust in 18 rounds, and nothing to the ring that nobody else builds on', () => {
    const result = eigenTrust(published, ['a', 'b', 'c']);

    expect(rounded(result?.trust)).toEqual([0.5122, 0.2846, 0.2033, 0, 0]);
    expect(result?.rounds).toBe(18);
  });

  it('shows why only proved creators are pre-trusted: with all pre-trusted, the ring wins', () => {
    const result = eigenTrust(published, ['a', 'b', 'c', 'd', 'e']);

    expect(rounded(result?.trust)).toEqual([0.1689, 0.0938, 0.067, 0.3351, 0.3351]);
  });

  it('adds up to one', () => {
    const total = [...(eigenTrust(published, ['c'])?.trust.values() ?? [])].reduce(
      (sum, each) => sum + each,
      0,
    );

    expect(total).toBeCloseTo(1, 8);
  });

  it('converges within a hundred rounds even where edges form a cycle', () => {
    const ring = Array.from({ length: 300 }, (_, index) => edge(`${index}`, `${(index + 1) % 300}`));

    // Round r moves 0.8^r from one to the next: 2·0.8^95 is above 1e-9, 2·0.8^96 below.
    expect(eigenTrust(ring, ['0'])?.rounds).toBe(95);
  });
});

describe('creatorGraph', () => {
  it('gives each creator its trust as a multiple of the average, at most one', () => {
    const edges = [...published, edge('a', 'b', 1), edge('a', 'd', 9)];

    // t_a = 0.2 + 0.8·t_b and t_b = 0.8·0.1·t_a, so that t_a = 0.2137 and t_b = 0.0171; there are five.
    expect(rounded(computeGraphEquity(edges, ['a']) ?? undefined)).toEqual([1, 0.0855, 0, 1, 1]);
  });

  it.each([
    ['there is no edge', [], ['a']],
    ['nobody is trusted beforehand', published, []],
    ['those trusted beforehand have no edge', published, ['z']],
    ['those trusted beforehand build on themselves only', [...published, edge('z', 'z', 5)], ['z']],
    ['the only edges count nothing', [edge('a', 'b', 0)], ['a']],
  ])('is null when %s', (_case, edges, preTrusted) => {
    expect(computeGraphEquity(edges, preTrusted)).toBeNull();
  });

  it("ignores a creator's edges to itself", () => {
    const vain = computeGraphEquity(
      [...published, edge('c', 'c', 1_000), edge('z', 'z', 5)],
      ['a', 'b', 'c'],
    );

    expect(vain).toEqual(computeGraphEquity(published, ['a', 'b', 'c']));
    expect(vain?.has('z')).toBe(false);
  });

  it('is not diluted by pre-trusted creators without an edge', () => {
    const strangers = Array.from({ length: 1_000 }, (_, index) => `stranger-${index}`);

    expect(computeGraphEquity(published, ['c', ...strangers])).toEqual(computeGraphEquity(published, ['c']));
  });

  it('counts a creator named twice, and an edge in two parts, once', () => {
    const inParts = [edge('b', 'a', 1), edge('b', 'a', 2), ...published.slice(1)];

    expect(computeGraphEquity(inParts, ['c', 'a', 'c'])).toEqual(computeGraphEquity(published, ['a', 'c']));
  });

  it('is the same whichever order the edges come in', () => {
    const turned = computeGraphEquity(published.toReversed(), ['c', 'b', 'a']);

    expect(Object.fromEntries(turned ?? [])).toEqual(
      Object.fromEntries(computeGraphEquity(published, ['a', 'b', 'c']) ?? []),
    );
  });

  it('gives a ring no equity however large it is and however often its members build on each other', () => {
    const members = Array.from({ length: 50 }, (_, index) => `sock-${index}`);
    const ring = members.flatMap((from) => members.map((to) => edge(from, to, 1_000)));

    const equity = computeGraphEquity([...published, ...ring, edge('sock-0', 'a', 1)], ['a', 'b', 'c']);

    expect(members.map((member) => equity?.get(member))).toEqual(members.map(() => 0));
  });

  it('ranks ten times the creators in less than forty times the CPU time', () => {
    // A quadratic algorithm would take a hundred times as long. The best of three runs hides other load on the machine.
    const [few = 0, many = 0] = [10_000, 100_000].map((creators) => {
      const edges = Array.from({ length: 2 * creators }, (_, index) =>
        edge(`creator-${(index * 7_919) % creators}`, `creator-${Math.floor(index ** 2 / 3) % creators}`),
      );
      const preTrusted = Array.from({ length: creators / 100 }, (_, index) => `creator-${index * 100}`);
      const timings = [1, 2, 3].map(() => {
        const start = process.cpuUsage();
        expect(computeGraphEquity(edges, preTrusted)?.size).toBeGreaterThan(0.9 * creators);
        return process.cpuUsage(start).user;
      });
      return Math.min(...timings);
    });

    expect(many / few).toBeLessThan(40);
  }, 60_000);
});
