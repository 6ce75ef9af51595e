import type { Connection, Database } from '../../database/connect.ts';
import { inTransaction } from '../../database/transaction.ts';
import {
  insertClaim,
  type Kinship,
  loadDescents,
  loadKinship,
  lockUntilEnd,
  shareUntilEnd,
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

/** What a transaction holds of the lock, by Sequelize's own object of it. */
const held = new WeakMap<object, 'shared' | 'exclusive'>();

/** Thrown by a transaction that shares the lineage lock and turns out to need it alone. */
class LineageNeeded extends Error {}

/**
 * Lets one transaction at a time change lineage. Anyone who also locks subjects takes this first: otherwise two could wait
 * for each other, or each add one half of a circle. A transaction that shares the lock can't take it alone any more, since
 * two that share it would wait for each other: it ends, and `inSharedLineage` begins it again.
 */
export async function lockLineage(connection: Connection): Promise<void> {
  requireLineageAlone(connection);
  await lockUntilEnd(connection, LINEAGE_LOCK);
  if (connection.transaction) held.set(connection.transaction, 'exclusive');
}

/**
 * Keeps others from changing lineage until the end of the transaction, beside any number of those that share the lock. For
 * transactions that add or change one listing, its creator and no edge: they meet nobody's rows but their creator's, which
 * they lock last.
 */
export async function shareLineage(connection: Connection): Promise<void> {
  const { transaction } = connection;
  if (transaction && held.has(transaction)) return;
  await shareUntilEnd(connection, LINEAGE_LOCK);
  if (transaction) held.set(transaction, 'shared');
}

/** Ends a transaction that only shares the lock, where it is about to do what only one at a time may do. */
export function requireLineageAlone({ transaction }: Connection): void {
  if (transaction && held.get(transaction) === 'shared') throw new LineageNeeded();
}

/**
 * Runs a transaction that hardly ever changes lineage: with the shared lock, and only where it turns out to need the lock
 * alone, once more from its beginning with that. `work` calls `lock` before it locks any subject.
 */
export async function inSharedLineage<Result>(
  database: Database,
  work: (connection: Connection, lock: typeof lockLineage) => Promise<Result>,
): Promise<Result> {
  try {
    return await inTransaction(database, (connection) => work(connection, shareLineage));
  } catch (error) {
    if (!(error instanceof LineageNeeded)) throw error;
    return inTransaction(database, (connection) => work(connection, lockLineage));
  }
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
  requireLineageAlone(connection);
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
