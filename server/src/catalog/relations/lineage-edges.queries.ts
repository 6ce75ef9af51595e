import { batchRows } from '../../platform/batching/batch-source.ts';
import { createBatchedRead } from '../../platform/batching/batched-read.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { lockSubjects } from '../listings/write-listings.ts';
import {
  type Descent,
  LINEAGE_RELATIONS,
  type LineageRelation,
  REGISTRATION_SOURCE,
} from './choose-parents.ts';
import { FLAG_ORDER, FLAGS_OF_ASKED, type FlagRow } from './listing-flags.fragment.ts';

const FLAGS = `WITH RECURSIVE asked AS (${batchRows('id uuid')}), ${FLAGS_OF_ASKED}
SELECT flag.* FROM flag ORDER BY n, ${FLAG_ORDER}`;

/** Loads the rows of `FlagRow` for one listing. Concurrent calls share one SQL statement. */
export const findFlags = createBatchedRead<{ id: string }, FlagRow>({ sql: FLAGS });

const IS_DESCENT = `r.type = ANY (ARRAY['${LINEAGE_RELATIONS.join("', '")}']) AND r.directed
  AND r.from_path IS NULL AND r.to_path IS NULL AND r.from_listing_id <> r.to_listing_id`;
// Selects all statements of descent in the families of the given listings. A family is all listings that statements
// of descent connect, directly or through others.
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
/** The stored parent of a listing. */
export interface StoredParent {
  id: string;
  parent: string | null;
  relation: LineageRelation | null;
  stated: boolean | null;
}

// Inserts a claim of descent. The SQL statement itself reads the names of both repositories.
const INSERT_CLAIM = `INSERT INTO relation (type, from_repository, to_repository, from_listing_id, to_listing_id, directed, stated, source)
  SELECT $3, c.repository, p.repository, c.subject_id, p.subject_id, true, $4, $5
  FROM listing c, listing p WHERE c.subject_id = $1 AND p.subject_id = $2 ON CONFLICT DO NOTHING`;
// Ids are one array parameter, so that one prepared statement serves any number.
const LOAD_STORED_PARENTS = `SELECT subject_id AS id, parent_id AS parent, parent_relation AS relation, parent_stated AS stated
  FROM listing WHERE subject_id = ANY ($1::uuid[]) ORDER BY 1`;
/** Loads the stored parents of these listings, ordered by id. */
export function loadStoredParents(connection: Connection, ids: readonly string[]): Promise<StoredParent[]> {
  return connection.query<StoredParent>(LOAD_STORED_PARENTS, [ids]);
}

// Updates the parents of all given listings in one statement. `storeParents` has locked their subjects.
const UPDATE_PARENTS = `UPDATE listing l SET parent_id = c.parent, parent_relation = c.relation, parent_stated = c.stated,
    parent_acknowledged_at = CASE WHEN l.parent_id = c.parent THEN l.parent_acknowledged_at END
  FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::boolean[]) AS c(id, parent, relation, stated)
  WHERE l.subject_id = c.id`;

/** Stores chosen parents. A new parent clears the acknowledgement, because the old parent's owner gave it. */
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

/** Loads all statements of descent in the families of these listings. */
export function loadDescents(connection: Connection, listingIds: readonly string[]): Promise<Descent[]> {
  return connection.query<Descent>(DESCENTS, [listingIds]);
}

/** Stores a claim of descent made in this directory. An existing claim stays unchanged. */
export async function insertClaim(
  connection: Connection,
  claim: { childId: string; parentId: string; relation: LineageRelation; stated: boolean },
): Promise<void> {
  const { childId, parentId, relation, stated } = claim;
  await connection.query(INSERT_CLAIM, [childId, parentId, relation, stated, REGISTRATION_SOURCE]);
}
