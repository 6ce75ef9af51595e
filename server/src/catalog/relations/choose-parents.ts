/** Relations that make one listing the parent of another, strongest first. */
export const LINEAGE_RELATIONS = ['fork_of', 'port_of', 'based_on', 'built_on', 'copied_from'] as const;
export type LineageRelation = (typeof LINEAGE_RELATIONS)[number];

/** Source name of claims that were made in this directory and not imported. */
export const REGISTRATION_SOURCE = 'registration';

/** A statement of a source, or a claim made in this directory, that `child` derives from `parent`. */
export interface Descent {
  child: string;
  parent: string;
  relation: LineageRelation;
  /** False if the statement is inferred or only claimed. */
  stated: boolean;
  /**
   * 0 for statements of sources. Claims made in this directory are numbered in order, and come after statements of
   * sources.
   */
  claimNumber: number;
  /** Names that decide between equal statements, so that the result does not depend on the order of a source's rows. */
  childName: string;
  parentName: string;
}

/** Result of choosing parents. */
export interface ChosenParents {
  /** Chosen statement of descent, by child. */
  readonly chosen: ReadonlyMap<string, Descent>;
  /** Statements of descent that would have closed a cycle. */
  readonly circular: readonly Descent[];
}

/**
 * Chooses at most one parent per child without creating cycles. Takes statements of descent, the edges, in a fixed
 * order: the strongest relation first, statements before claims, external sources before claims made in this directory,
 * then by name. Skips an edge if its child already has a parent, or if it would close a cycle. The same statements
 * always give the same result, whatever the order in which they arrive.
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

/**
 * Returns true if `ancestor` is `start` or one of its ancestors. Terminates, because the edges chosen so far contain
 * no cycle.
 */
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
