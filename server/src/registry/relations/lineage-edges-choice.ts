/** The relations that can make one listing the parent of another, the strongest first. */
export const LINEAGE_RELATIONS = ['fork_of', 'port_of', 'based_on', 'built_on', 'copied_from'] as const;
/** One of the five relations of descent. */
export type LineageRelation = (typeof LINEAGE_RELATIONS)[number];

/** The source under which claims made here, not imported, are kept. */
export const REGISTRATION_SOURCE = 'registration';

/** A statement that `child` derives from `parent`. */
export interface Descent {
  child: string;
  parent: string;
  relation: LineageRelation;
  /** False where it was inferred or only claimed. */
  stated: boolean;
  /** 0 for what sources say; claims made here are numbered as they came, and come after. */
  claimNumber: number;
  /** What the order of equals follows: names, so that it does not depend on when a source's rows came. */
  childName: string;
  parentName: string;
}

/** Which statements became edges, and which could not. */
export interface ChosenParents {
  /** The chosen edge of each child that has one. */
  readonly chosen: ReadonlyMap<string, Descent>;
  /** Edges that would have closed a circle. */
  readonly circular: readonly Descent[];
}

/**
 * Picks at most one parent per child so that no circle arises: edges are taken in one order (strongest relation, stated
 * before claimed, sources before claims made here, then by name), and one that finds its child taken or closes a circle
 * is passed over. The same statements give the same forest, in whatever order a source's rows arrived.
 */
export function chooseParents(edges: readonly Descent[]): ChosenParents {
  const chosen = new Map<string, Descent>();
  const circular: Descent[] = [];
  for (const edge of [...edges].sort(compare)) {
    if (chosen.has(edge.child)) continue;
    if (descendsFrom(edge.parent, edge.child, chosen)) circular.push(edge);
    else chosen.set(edge.child, edge);
  }
  return { chosen, circular };
}

/** True when walking up from `start` meets `ancestor`; what is chosen so far holds no circle, so the walk ends. */
function descendsFrom(start: string, ancestor: string, chosen: ReadonlyMap<string, Descent>): boolean {
  for (let at: string | undefined = start; at !== undefined; at = chosen.get(at)?.parent) {
    if (at === ancestor) return true;
  }
  return false;
}

function compare(a: Descent, b: Descent): number {
  return (
    LINEAGE_RELATIONS.indexOf(a.relation) - LINEAGE_RELATIONS.indexOf(b.relation) ||
    Number(b.stated) - Number(a.stated) ||
    a.claimNumber - b.claimNumber ||
    compareText(a.childName, b.childName) ||
    compareText(a.parentName, b.parentName) ||
    compareText(a.child, b.child) ||
    compareText(a.parent, b.parent)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
