import type { Connection } from '../../database/connect.ts';
import { lockSubjects } from '../listings/write-listings.ts';
import {
  type Descent,
  LINEAGE_RELATIONS,
  type LineageRelation,
  REGISTRATION_SOURCE,
} from './lineage-edges-choice.ts';

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
/** A listing's chosen parent, as it is stored. */
export interface Kinship {
  id: string;
  parent: string | null;
  relation: LineageRelation | null;
  stated: boolean | null;
}

// The names of both ends are read where they are written.
const INSERT_CLAIM = `INSERT INTO relation (type, from_repository, to_repository, from_listing_id, to_listing_id, directed, stated, source)
  SELECT $3, c.repository, p.repository, c.subject_id, p.subject_id, true, $4, $5
  FROM listing c, listing p WHERE c.subject_id = $1 AND p.subject_id = $2 ON CONFLICT DO NOTHING`;
// An array: one kept statement, whatever the size of a family.
const LOAD_KINSHIP = `SELECT subject_id AS id, parent_id AS parent, parent_relation AS relation, parent_stated AS stated
  FROM listing WHERE subject_id = ANY ($1::uuid[]) ORDER BY 1`;
/** The chosen parents of these listings, in the order of their ids. */
export function loadKinship(connection: Connection, ids: readonly string[]): Promise<Kinship[]> {
  return connection.query<Kinship>(LOAD_KINSHIP, [ids]);
}

// All at once, in the order in which they were locked.
const UPDATE_PARENTS = `UPDATE listing l SET parent_id = c.parent, parent_relation = c.relation, parent_stated = c.stated,
    parent_acknowledged_at = CASE WHEN l.parent_id = c.parent THEN l.parent_acknowledged_at END
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[]) AS c(id, parent, relation, stated)
  WHERE l.subject_id = c.id`;

/** Stores chosen parents. An acknowledgement was given to one parent's child; it does not pass to another parent. */
export async function storeParents(
  connection: Connection,
  changes: readonly { id: string; edge: Descent | undefined }[],
): Promise<void> {
  if (changes.length === 0) return;
  await lockSubjects(
    connection,
    changes.map(({ id }) => id),
  );
  await connection.query(UPDATE_PARENTS, [
    changes.map(({ id }) => id),
    changes.map(({ edge }) => edge?.parent ?? null),
    changes.map(({ edge }) => edge?.relation ?? null),
    changes.map(({ edge }) => edge?.stated ?? null),
  ]);
}

/** All statements of descent that join these listings to others, whichever end they are. */
export function loadDescents(connection: Connection, listingIds: readonly string[]): Promise<Descent[]> {
  return connection.query<Descent>(DESCENTS, [listingIds]);
}

/** Keeps what somebody here claims of a listing's descent; one that was claimed before stays as it is. */
export async function insertClaim(
  connection: Connection,
  claim: { childId: string; parentId: string; relation: LineageRelation; stated: boolean },
): Promise<void> {
  const { childId, parentId, relation, stated } = claim;
  await connection.query(INSERT_CLAIM, [childId, parentId, relation, stated, REGISTRATION_SOURCE]);
}

/** Waits for the lock of this number, and holds it until the transaction is over. */
export async function lockUntilEnd(connection: Connection, lock: number): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock($1)', [lock]);
}

/** Waits until nobody holds the lock of this number alone, and shares it until the transaction is over. */
export async function shareUntilEnd(connection: Connection, lock: number): Promise<void> {
  await connection.query('SELECT pg_advisory_xact_lock_shared($1)', [lock]);
}
