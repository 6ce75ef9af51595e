import type { Connection } from '../../platform/database/connect.ts';
import { listingKey } from '../registry-keys.ts';
import { readLocked } from '../registry-locks.ts';
import { chooseParents, type Descent, type LineageRelation } from './choose-parents.ts';
import {
  insertClaim,
  loadDescents,
  loadStoredParents,
  type StoredParent,
  storeParents,
} from './lineage-edges.queries.ts';

/** A claim or statement that one listing derives from another, by their subject ids. */
export interface ParentClaim {
  childId: string;
  parentId: string;
  relation: LineageRelation;
  /** False where nobody but the child says so. */
  stated: boolean;
}

/** Outcome of a claim of a parent. */
export interface ParentOutcome {
  /** `other_parent`: a stronger statement names another one. `circle`: the parent descends from the child. */
  outcome: 'set' | 'other_parent' | 'circle';
  /** Listings whose parent is another one now: to be scored again. */
  changed: string[];
}

/**
 * Records that a listing derives from another and chooses parents again: one per listing, the strongest statement, no
 * circle. The caller is in a transaction and has called lockRegistry or lockKeys.
 */
export async function setParent(connection: Connection, claim: ParentClaim): Promise<ParentOutcome> {
  await insertClaim(connection, claim);
  const { changed, circular } = await updateParents(connection, [claim.childId]);
  const [child] = await loadStoredParents(connection, [claim.childId]);
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
  const edges = await loadFamily(connection, listingIds);
  const { chosen, circular } = chooseParents(edges);
  const children = new Set([...listingIds, ...edges.map(({ child }) => child)]);
  const kinships = await loadStoredParents(connection, [...children]);
  const different = kinships.filter((now) => !isSame(now, chosen.get(now.id)));
  await storeParents(
    connection,
    different.map(({ id }) => ({ id, edge: chosen.get(id) })),
  );
  return { changed: different.map(({ id }) => id), circular };
}

/**
 * Loads all statements of descent that join these listings to others, and locks all these listings: two transactions whose
 * edges could close a circle together have a listing in common.
 */
function loadFamily(connection: Connection, listingIds: readonly string[]): Promise<Descent[]> {
  return readLocked(
    connection,
    () => loadDescents(connection, listingIds),
    (edges) => [...listingIds, ...edges.flatMap(({ child, parent }) => [child, parent])].map(listingKey),
  );
}

function isSame(now: StoredParent, edge: Descent | undefined): boolean {
  if (edge === undefined) return now.parent === null;
  return now.parent === edge.parent && now.relation === edge.relation && now.stated === edge.stated;
}
