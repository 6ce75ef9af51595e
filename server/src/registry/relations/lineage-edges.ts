import type { Connection } from '../../database/connect.ts';
import {
  insertClaim,
  type Kinship,
  loadDescents,
  loadKinship,
  lockUntilEnd,
  storeParents,
} from './lineage-edges.repository.ts';
import { chooseParents, type Descent, type LineageRelation } from './lineage-edges-choice.ts';

/** A claim or statement that one listing derives from another, by their subject ids. */
export interface ParentClaim {
  childId: string;
  parentId: string;
  relation: LineageRelation;
  /** False where nobody but the child says so. */
  stated: boolean;
}

/** What a claim came to. */
export interface ParentOutcome {
  /** `other_parent`: a stronger statement names another one. `circle`: the parent descends from the child. */
  outcome: 'set' | 'other_parent' | 'circle';
  /** Listings whose parent is another one now: to be scored again. */
  changed: string[];
}

/** Any fixed number: it names our lock among the advisory locks of the database. */
const LINEAGE_LOCK = 7_310_043;

/**
 * Lets one transaction at a time change lineage. Anyone who also locks subjects takes this first: else two could wait for
 * each other, or each add one half of a circle.
 */
export async function lockLineage(connection: Connection): Promise<void> {
  await lockUntilEnd(connection, LINEAGE_LOCK);
}

/**
 * Records that a listing derives from another and chooses parents again: one per listing, the strongest statement, no
 * circle. The caller is in a transaction and has called `lockLineage`.
 */
export async function setParent(connection: Connection, claim: ParentClaim): Promise<ParentOutcome> {
  await insertClaim(connection, claim);
  const { changed, circular } = await updateParents(connection, [claim.childId]);
  const [child] = await loadKinship(connection, [claim.childId]);
  if (child?.parent === claim.parentId) return { outcome: 'set', changed };
  const isCircular = circular.some((edge) => edge.child === claim.childId && edge.parent === claim.parentId);
  return { outcome: isCircular ? 'circle' : 'other_parent', changed };
}

/**
 * Chooses the parents of these listings again, and of all that statements of descent join to them, after such
 * statements came or went. Answers the listings whose parent is another one now.
 */
export async function updateParents(
  connection: Connection,
  listingIds: readonly string[],
): Promise<{ changed: string[]; circular: readonly Descent[] }> {
  if (listingIds.length === 0) return { changed: [], circular: [] };
  const edges = await loadDescents(connection, listingIds);
  const { chosen, circular } = chooseParents(edges);
  const children = new Set([...listingIds, ...edges.map(({ child }) => child)]);
  const kinships = await loadKinship(connection, [...children]);
  const different = kinships.filter((now) => !isSame(now, chosen.get(now.id)));
  await storeParents(
    connection,
    different.map(({ id }) => ({ id, edge: chosen.get(id) })),
  );
  return { changed: different.map(({ id }) => id), circular };
}

function isSame(now: Kinship, edge: Descent | undefined): boolean {
  if (edge === undefined) return now.parent === null;
  return now.parent === edge.parent && now.relation === edge.relation && now.stated === edge.stated;
}
