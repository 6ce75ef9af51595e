import { round } from './curves.ts';
import { METHOD } from './rs-1.0.0.ts';

/** So many agents and skills of creator `from` build on those of creator `to`. */
export interface CreatorEdge {
  from: string;
  to: string;
  count: number;
}

/** Standing by creator, adding up to 1, and how many rounds still moved it. */
export interface CreatorTrust {
  trust: Map<string, number>;
  rounds: number;
}

/**
 * Graph equity by creator, 0 to 1, six decimals: its trust as a multiple of the average, at most 1. Only creators that
 * an edge links to another have one. Null when none of the creators trusted beforehand is among them: then nobody does.
 */
export function creatorGraph(
  edges: readonly CreatorEdge[],
  preTrusted: Iterable<string>,
): Map<string, number> | null {
  const ranked = eigenTrust(edges, preTrusted);
  if (ranked === null) return null;
  const connected = ranked.trust.size;
  return new Map([...ranked.trust].map(([id, trust]) => [id, round(Math.min(1, trust * connected), 6)]));
}

/**
 * EigenTrust (Kamvar, Schlosser, Garcia-Molina 2003): trust flows from who builds on whose work to whom, and starts anew
 * from those trusted beforehand, so that a ring which only its own members join stays without any. Edges of a creator
 * to itself count for nothing. Null when no creator trusted beforehand has an edge.
 */
export function eigenTrust(edges: readonly CreatorEdge[], preTrusted: Iterable<string>): CreatorTrust | null {
  const graph = compact(edges);
  const beforehand = beforehandOf(graph, preTrusted);
  if (beforehand === null) return null;
  const { tolerance, rounds: most } = METHOD.creatorGraph;
  let trust = beforehand;
  let rounds = 0;
  for (; rounds < most; rounds += 1) {
    const next = flow(graph, trust, beforehand);
    const change = distance(next, trust);
    trust = next;
    if (change < tolerance) break;
  }
  return { trust: new Map([...graph.nodeOf].map(([id, node]) => [id, at(trust, node)])), rounds };
}

/** Edges between numbered creators, in parallel arrays, each with its share of all that `from` builds on. */
interface Graph {
  nodeOf: Map<string, number>;
  from: Uint32Array;
  to: Uint32Array;
  share: Float64Array;
  /** What each creator builds on; nothing means that it hands its trust back to those trusted beforehand. */
  given: Float64Array;
}

// Numbers instead of ids, and plain loops: a hundred thousand creators are ranked while one waits.
function compact(edges: readonly CreatorEdge[]): Graph {
  const used = edges.filter(({ from, to, count }) => from !== to && count > 0);
  const nodeOf = new Map<string, number>();
  const numberOf = (id: string) => {
    const node = nodeOf.get(id) ?? nodeOf.size;
    if (node === nodeOf.size) nodeOf.set(id, node);
    return node;
  };
  const from = new Uint32Array(used.length);
  const to = new Uint32Array(used.length);
  used.forEach((ends, edge) => {
    from[edge] = numberOf(ends.from);
    to[edge] = numberOf(ends.to);
  });
  const given = new Float64Array(nodeOf.size);
  used.forEach(({ count }, edge) => {
    add(given, from[edge], count);
  });
  const share = new Float64Array(used.length);
  used.forEach(({ count }, edge) => {
    share[edge] = count / at(given, from[edge]);
  });
  return { nodeOf, from, to, share, given };
}

// One without an edge takes no part: it would only thin out what the others have.
function beforehandOf({ nodeOf }: Graph, preTrusted: Iterable<string>): Float64Array | null {
  const nodes = new Set<number>();
  for (const id of preTrusted) {
    const node = nodeOf.get(id);
    if (node !== undefined) nodes.add(node);
  }
  if (nodes.size === 0) return null;
  const beforehand = new Float64Array(nodeOf.size);
  for (const node of nodes) beforehand[node] = 1 / nodes.size;
  return beforehand;
}

/** One round: t <- (1 - a)·Cᵀt + a·p. */
function flow(
  { from, to, share, given }: Graph,
  trust: Float64Array,
  beforehand: Float64Array,
): Float64Array {
  const { restart } = METHOD.creatorGraph;
  let returned = 0;
  for (let node = 0; node < given.length; node += 1) if (given[node] === 0) returned += at(trust, node);
  const anew = restart + (1 - restart) * returned;
  const next = beforehand.map((value) => value * anew);
  for (let edge = 0; edge < share.length; edge += 1) {
    add(next, to[edge], (1 - restart) * at(share, edge) * at(trust, from[edge]));
  }
  return next;
}

function distance(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let node = 0; node < one.length; node += 1) sum += Math.abs(at(one, node) - at(other, node));
  return sum;
}

// The numbers of creators and edges are made above, so that none is out of bounds.
function at(values: Float64Array, index: number | undefined): number {
  return values[index as number] as number;
}

function add(values: Float64Array, index: number | undefined, amount: number): void {
  values[index as number] = at(values, index) + amount;
}
