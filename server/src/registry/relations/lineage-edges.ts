import type { Connection } from '../../database/connect.ts';
import {
  chooseParents,
  type Descent,
  LINEAGE_RELATIONS,
  type LineageRelation,
} from './lineage-edges-choice.ts';

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

/** The source under which claims made here, not imported, are kept. */
export const REGISTRATION_SOURCE = 'registration';

/** Any fixed number: it names our lock among the advisory locks of the database. */
const LINEAGE_LOCK = 7_310_043;

const IS_DESCENT = `r.type = ANY (ARRAY['${LINEAGE_RELATIONS.join("', '")}']) AND r.directed
  AND r.from_path IS NULL AND r.to_path IS NULL AND r.from_listing_id <> r.to_listing_id`;

// Every listing that statements of descent join to the given ones, with all these statements.
const DESCENTS = `
WITH RECURSIVE family(id) AS (
  SELECT unnest($1::uuid[])
  UNION
  SELECT other.id FROM family, LATERAL (
    SELECT r.to_listing_id FROM relation r WHERE r.from_listing_id = family.id AND ${IS_DESCENT}
    UNION ALL
    SELECT r.from_listing_id FROM relation r WHERE r.to_listing_id = family.id AND ${IS_DESCENT}) AS other(id))
SELECT r.from_listing_id AS child, r.to_listing_id AS parent, r.type AS relation, bool_or(r.stated) AS stated,
  min(CASE WHEN r.source = '${REGISTRATION_SOURCE}' THEN r.id ELSE 0 END) AS "claimNumber",
  lower(c.host || '/' || c.repository) AS "childName", lower(p.host || '/' || p.repository) AS "parentName"
FROM family JOIN relation r ON r.from_listing_id = family.id
JOIN listing c ON c.subject_id = r.from_listing_id JOIN listing p ON p.subject_id = r.to_listing_id
WHERE ${IS_DESCENT}
GROUP BY 1, 2, 3, 6, 7`;

interface Kinship {
  id: string;
  parent: string | null;
  relation: LineageRelation | null;
  stated: boolean | null;
}

/**
 * Lets one transaction at a time change lineage. Whoever also locks subjects takes this first: else two could wait for
 * each other, or each add one half of a circle.
 */
export async function lockLineage(connection: Connection): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock($1)', [LINEAGE_LOCK]);
}

/**
 * Records that a listing derives from another and chooses parents again: one per listing, the strongest statement, no
 * circle. The caller is in a transaction and has called `lockLineage`.
 */
export async function setParent(connection: Connection, claim: ParentClaim): Promise<ParentOutcome> {
  await connection.query(
    `INSERT INTO relation (type, from_repository, to_repository, from_listing_id, to_listing_id, directed, stated, source)
     SELECT $3, c.repository, p.repository, c.subject_id, p.subject_id, true, $4, $5
     FROM listing c, listing p WHERE c.subject_id = $1 AND p.subject_id = $2 ON CONFLICT DO NOTHING`,
    [claim.childId, claim.parentId, claim.relation, claim.stated, REGISTRATION_SOURCE],
  );
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
  const edges = await connection.query<Descent>(DESCENTS, [listingIds]);
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

function loadKinship(connection: Connection, ids: readonly string[]): Promise<Kinship[]> {
  return connection.query<Kinship>(
    `SELECT subject_id AS id, parent_id AS parent, parent_relation AS relation, parent_stated AS stated
     FROM listing WHERE subject_id = ANY ($1::uuid[]) ORDER BY 1`,
    [ids],
  );
}

/** An acknowledgement was given to one parent's child; it does not pass to another parent. */
async function storeParents(
  connection: Connection,
  changes: readonly { id: string; edge: Descent | undefined }[],
): Promise<void> {
  if (changes.length === 0) return;
  await connection.query('SELECT FROM subject WHERE id = ANY ($1::uuid[]) ORDER BY id FOR NO KEY UPDATE', [
    changes.map(({ id }) => id),
  ]);
  await connection.query(
    `UPDATE listing l SET parent_id = c.parent, parent_relation = c.relation, parent_stated = c.stated,
       parent_acknowledged_at = CASE WHEN l.parent_id = c.parent THEN l.parent_acknowledged_at END
     FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[]) AS c(id, parent, relation, stated)
     WHERE l.subject_id = c.id`,
    [
      changes.map(({ id }) => id),
      changes.map(({ edge }) => edge?.parent ?? null),
      changes.map(({ edge }) => edge?.relation ?? null),
      changes.map(({ edge }) => edge?.stated ?? null),
    ],
  );
}
