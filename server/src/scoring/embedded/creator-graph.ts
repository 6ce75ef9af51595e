import { METHOD } from './current-method.ts';
import { round } from './signal-reading.ts';

/** Number of listings of creator `from` that derive from listings of creator `to`. */
export interface CreatorEdge {
  from: string;
  to: string;
  count: number;
}

/** Trust by creator, with sum 1, and the number of rounds that changed trust by at least the tolerance. */
export interface CreatorTrust {
  trust: Map<string, number>;
  rounds: number;
}

/**
 * Returns the graph equity of each creator, 0 to 1 with six decimals: the creator's trust divided by the average, at
 * most 1. Only creators with an edge to or from another creator have equity. Null if none of these is pre-trusted.
 */
export function computeGraphEquity(
  edges: readonly CreatorEdge[],
  preTrusted: Iterable<string>,
): Map<string, number> | null {
  const ranked = eigenTrust(edges, preTrusted);
  if (ranked === null) return null;
  const connected = ranked.trust.size;
  return new Map([...ranked.trust].map(([id, trust]) => [id, round(Math.min(1, trust * connected), 6)]));
}

/**
 * Computes EigenTrust (Kamvar, Schlosser, Garcia-Molina 2003). Trust flows from creators to those whose work they
 * build on, and restarts from pre-trusted creators. A ring of creators to which only its own members link therefore
 * gets no trust. Self-edges are ignored. Returns null if no pre-trusted creator has an edge.
 */
export function eigenTrust(edges: readonly CreatorEdge[], preTrusted: Iterable<string>): CreatorTrust | null {
  const graph = compact(edges);
  const preTrust = preTrustVectorOf(graph, preTrusted);
  if (preTrust === null) return null;
  const { tolerance, rounds: most } = METHOD.creatorGraph;
  let trust = preTrust;
  let rounds = 0;
  for (; rounds < most; rounds += 1) {
    const next = flow(graph, trust, preTrust);
    const change = distance(next, trust);
    trust = next;
    if (change < tolerance) break;
  }
  return { trust: new Map([...graph.nodeOf].map(([id, node]) => [id, at(trust, node)])), rounds };
}

/**
 * Graph with numbered creators, and its edges in parallel arrays. `share` is the edge's count divided by the sum of the
 * counts of all edges from `from`.
 */
interface Graph {
  nodeOf: Map<string, number>;
  from: Uint32Array;
  to: Uint32Array;
  share: Float64Array;
  /** Sum of the outgoing edges' counts per creator. The trust of a creator with 0 flows to the pre-trusted creators. */
  given: Float64Array;
}

// Uses numbers instead of ids, and plain loops, to be fast with a hundred thousand creators.
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

// Pre-trusted creators without an edge are left out, because they would only dilute the trust of the others.
function preTrustVectorOf({ nodeOf }: Graph, preTrusted: Iterable<string>): Float64Array | null {
  const nodes = new Set<number>();
  for (const id of preTrusted) {
    const node = nodeOf.get(id);
    if (node !== undefined) nodes.add(node);
  }
  if (nodes.size === 0) return null;
  const preTrust = new Float64Array(nodeOf.size);
  for (const node of nodes) preTrust[node] = 1 / nodes.size;
  return preTrust;
}

/** Computes one round of EigenTrust: t <- (1 - a)·Cᵀt + a·p, with trust t, edge shares C, restart a and pre-trust p. */
function flow({ from, to, share, given }: Graph, trust: Float64Array, preTrust: Float64Array): Float64Array {
  const { restart } = METHOD.creatorGraph;
  let returned = 0;
  for (let node = 0; node < given.length; node += 1) if (given[node] === 0) returned += at(trust, node);
  const anew = restart + (1 - restart) * returned;
  const next = preTrust.map((value) => value * anew);
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

// All indexes are assigned above, so none is out of bounds.
function at(values: Float64Array, index: number | undefined): number {
  return values[index as number] as number;
}

function add(values: Float64Array, index: number | undefined, amount: number): void {
  values[index as number] = at(values, index) + amount;
}
