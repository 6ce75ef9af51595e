import { METHOD } from './current-method.ts';
import { round, saturation } from './signal-reading.ts';

/**
 * A parent's confirmed trust and confidence without the parent's own lineage signal, so that a child does not inherit
 * what the parent has itself inherited.
 */
export interface OwnScore {
  ownTrust: number;
  ownConfidence: number;
}

/** A listing of another creator that descends from a listing of this creator, with its confirmed trust. */
export interface ForeignDescendant {
  /** Number of edges from this descendant up to its nearest ancestor that is the creator's own, at least 1. */
  depth: number;
  trust: number;
}

/**
 * Returns the trust equity that a child inherits over one edge, 0 to 100, one decimal. An `acknowledged` edge counts in
 * full. Any other edge is only a claim and counts half. A parent without a confirmed score passes on nothing.
 */
export function trustEquityFlow(parent: OwnScore | null, acknowledged: boolean): number {
  return round(exactEquityFlow(parent, acknowledged), 1);
}

/** Computes `trustEquityFlow` without rounding. */
export function exactEquityFlow(parent: OwnScore | null, acknowledged: boolean): number {
  if (parent === null) return 0;
  const { perGeneration, unacknowledged } = METHOD.lineage;
  const claim = acknowledged ? 1 : unacknowledged;
  return 100 * perGeneration * (parent.ownTrust / 100) * (parent.ownConfidence / 100) * claim;
}

/**
 * Returns a creator's trust equity, 0 to 100, one decimal: credit for listings of other creators that descend from this
 * creator's listings. The caller leaves out the creator's own listings and counts each descendant once.
 */
export function trustEquity(descendants: readonly ForeignDescendant[]): number {
  const { perGeneration, equitySaturation } = METHOD.lineage;
  const worth = descendants.reduce(
    (sum, { depth, trust }) => sum + perGeneration ** depth * (trust / 100),
    0,
  );
  return round(100 * saturation(worth, equitySaturation), 1);
}

interface LineageEdge {
  from: string;
  to: string;
}

/** Reached subjects, nearest first, and the edges that were not followed because they would close a cycle. */
interface LineageWalk {
  reached: { id: string; depth: number }[];
  cycles: LineageEdge[];
  /** True if there are subjects beyond the last generation that was visited. */
  truncated: boolean;
}

/**
 * Traverses the lineage breadth first: at most 64 generations, each subject once. `next` returns the neighbours of a
 * subject in the wanted direction. Edges back to a subject on the path are not followed but reported in `cycles`, so
 * that cycles cannot cause endless loops.
 */
export function walkLineage(start: string, next: (id: string) => readonly string[]): LineageWalk {
  const cameFrom = new Map<string, string | null>([[start, null]]);
  const walk: LineageWalk = { reached: [], cycles: [], truncated: false };
  let generation = [start];
  for (let depth = 1; generation.length > 0; depth += 1) {
    const edges = generation.flatMap((from) => next(from).map((to) => ({ from, to })));
    generation = [];
    for (const edge of edges) {
      if (cameFrom.has(edge.to)) {
        if (isOnPath(edge, cameFrom)) walk.cycles.push(edge);
      } else if (depth > METHOD.lineage.generations) {
        walk.truncated = true;
      } else {
        cameFrom.set(edge.to, edge.from);
        walk.reached.push({ id: edge.to, depth });
        generation.push(edge.to);
      }
    }
  }
  return walk;
}

function isOnPath({ from, to }: LineageEdge, cameFrom: ReadonlyMap<string, string | null>): boolean {
  for (let id: string | null | undefined = from; id != null; id = cameFrom.get(id)) {
    if (id === to) return true;
  }
  return false;
}
