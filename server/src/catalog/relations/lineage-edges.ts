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

/** A statement that one listing derives from another, by their subject ids. */
export interface ParentClaim {
  childId: string;
  parentId: string;
  relation: LineageRelation;
  /** True if a source states the descent; false if only the child's owner claims it. */
  stated: boolean;
}

/** Result of claiming a parent. */
export interface ParentOutcome {
  /**
   * `set`: the claimed parent was chosen. `other_parent`: a stronger statement names another parent. `circle`: the
   * claimed parent descends from the child.
   */
  outcome: 'set' | 'other_parent' | 'circle';
  /** Listings whose parent changed, to be scored again. */
  changed: string[];
}

/**
 * Stores a claim of descent and chooses parents again: at most one per listing, by the strongest statement, without
 * cycles. The caller is in a transaction and has called lockRegistry or lockKeys.
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
 * Chooses parents again after statements of descent were added or removed, both for these listings and for all others
 * that statements of descent connect to them. Returns the listings whose parent changed.
 */
export async function updateParents(
  connection: Connection,
  listingIds: readonly string[],
): Promise<{ changed: string[]; circular: readonly Descent[] }> {
  if (listingIds.length === 0) return { changed: [], circular: [] };
  const edges = await loadFamily(connection, listingIds);
  const { chosen, circular } = chooseParents(edges);
  const children = new Set([...listingIds, ...edges.map(({ child }) => child)]);
  const storedParents = await loadStoredParents(connection, [...children]);
  const different = storedParents.filter((now) => !isSame(now, chosen.get(now.id)));
  await storeParents(
    connection,
    different.map(({ id }) => ({ id, edge: chosen.get(id) })),
  );
  return { changed: different.map(({ id }) => id), circular };
}

/**
 * Loads all statements of descent that connect these listings to others, and locks all listings involved. If the
 * relations that two transactions add could together form a cycle, both lock at least one common listing, so that one
 * transaction waits for the other.
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
