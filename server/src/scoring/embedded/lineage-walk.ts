import { METHOD } from './rs-1.0.0.ts';

interface LineageEdge {
  from: string;
  to: string;
}

/** Everything reached, nearest first, and the edges left out because they would close a circle. */
export interface LineageWalk {
  reached: { id: string; depth: number }[];
  cycles: LineageEdge[];
  /** True when there is more beyond the last generation walked. */
  truncated: boolean;
}

/**
 * Walks from `start` breadth first, up or down, whichever `next` gives: at most 64 generations, each subject once.
 * An edge back to the way it came by is dropped and reported, so a circle can neither hang nor feed itself.
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
        if (isOnTheWay(edge, cameFrom)) walk.cycles.push(edge);
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

function isOnTheWay({ from, to }: LineageEdge, cameFrom: ReadonlyMap<string, string | null>): boolean {
  for (let id: string | null | undefined = from; id != null; id = cameFrom.get(id)) {
    if (id === to) return true;
  }
  return false;
}
