import type { Connection } from '../../platform/database/connect.ts';
import { NOW } from '../../platform/database/models/table.ts';

/** A delisting, without the tombstone: the stored rows of its listing. */
export interface StoredDelisting {
  id: number;
  subjectId: string;
  agentId: string;
  host: string;
  repository: string;
  reason: string;
  delistedAt: Date;
  /** Time of the relisting; null while delisted. */
  relistedAt: Date | null;
}

/** All columns except the tombstone, which may be large. */
const COLUMNS = ['id', 'subjectId', 'agentId', 'host', 'repository', 'reason', 'delistedAt', 'relistedAt'];

/** Finds the active delisting of a listing by its subject's id. */
export function findActiveDelisting(
  { models, transaction }: Connection,
  subjectId: string,
): Promise<StoredDelisting | null> {
  const where = { subjectId, relistedAt: null };
  return models.Delisting.findOne<StoredDelisting>({ attributes: COLUMNS, where, raw: true, transaction });
}

/** Returns all delistings, latest first, including ended ones. */
export function findDelistings({ models, transaction }: Connection): Promise<StoredDelisting[]> {
  return models.Delisting.findAll<StoredDelisting>({
    attributes: COLUMNS,
    order: [['id', 'DESC']],
    raw: true,
    transaction,
  });
}

/** Ends a delisting after its rows were restored. */
export async function endDelisting({ models, transaction }: Connection, id: number): Promise<void> {
  await models.Delisting.update({ relistedAt: NOW, kept: null }, { where: { id }, transaction });
}

/** Related data that changes when a listing is removed or restored. */
export interface ListingDependents {
  agentId: string;
  host: string;
  repository: string;
  creatorId: string;
  /** Id of the owner's account on the host; null if unknown. */
  hostOwnerId: string | null;
  /** Listings that have this one as their parent. */
  children: string[];
  npm: string[];
  pypi: string[];
}

/**
 * Loads a listing's children, and the packages that the listing and its artifacts claim. Returns null if no listing has
 * this id.
 */
export async function loadListingDependents(
  connection: Connection,
  id: string,
): Promise<ListingDependents | null> {
  const packages = (column: string) => `ARRAY(SELECT l.${column} WHERE l.${column} IS NOT NULL
    UNION SELECT a.${column} FROM artifact a WHERE a.listing_id = l.subject_id AND a.${column} IS NOT NULL)`;
  const [row] = await connection.query<ListingDependents>(
    `SELECT l.agent_id AS "agentId", l.host, l.repository, l.creator_id AS "creatorId",
       l.host_owner_id AS "hostOwnerId",
       ARRAY(SELECT c.subject_id FROM listing c WHERE c.parent_id = l.subject_id ORDER BY 1) AS children,
       ${packages('npm_package')} AS npm, ${packages('pypi_package')} AS pypi
     FROM listing l WHERE l.subject_id = $1`,
    [id],
  );
  return row ?? null;
}

/**
 * Ids and names that the stored rows of a delisted listing refer to: its owner, creators, names, and listings at the
 * ends of relations.
 */
export interface TombstoneReferences {
  hostOwnerId: string | null;
  /** Ids of the listing's creator, and of the creators into which that creator was merged. */
  creatorIds: string[];
  related: string[];
  /** `owner/name` of the listing's former names on its host. */
  formerRepositories: string[];
}

/**
 * Loads the references from the stored rows of a delisting. If the creator was merged after the delisting, also
 * includes the creators into which that creator was merged.
 */
export async function loadTombstoneReferences(
  connection: Connection,
  delistingId: number,
): Promise<TombstoneReferences> {
  // Raw SQL: reads rows from JSON and follows merged creators.
  const [kept] = await connection.query<TombstoneReferences>(
    `WITH RECURSIVE d AS (SELECT * FROM delisting WHERE id = $1), chain (id) AS (
       SELECT (kept -> 'listing' -> 0 ->> 'creator_id')::uuid FROM d
       UNION SELECT c.merged_into FROM chain JOIN creator c ON c.subject_id = chain.id WHERE c.merged_into IS NOT NULL)
     SELECT kept -> 'listing' -> 0 ->> 'host_owner_id' AS "hostOwnerId",
       ARRAY(SELECT id FROM chain ORDER BY 1) AS "creatorIds",
       ARRAY(SELECT DISTINCT e.id FROM jsonb_array_elements(kept -> 'relation') r,
         LATERAL (VALUES (r.value ->> 'from_listing_id'), (r.value ->> 'to_listing_id')) AS e(id)
         WHERE e.id IS NOT NULL ORDER BY 1) AS related,
       ARRAY(SELECT substr(n.label, length(d.host) + 2) FROM delisted_name n WHERE n.delisting_id = d.id
         AND n.kind = 'former' AND starts_with(n.label, lower(d.host) || '/') ORDER BY 1) AS "formerRepositories"
     FROM d`,
    [delistingId],
  );
  if (!kept) throw new Error('a delisting that was just found has no row');
  return kept;
}

/** Returns the former names of a listing on its host. */
export async function loadFormerRepositories(connection: Connection, id: string): Promise<string[]> {
  const rows = await connection.query<{ repository: string }>(
    `SELECT substr(f.label, length(l.host) + 2) AS repository FROM subject_alias f
     JOIN listing l ON l.subject_id = f.subject_id
     WHERE f.subject_id = $1 AND f.kind = 'former' AND starts_with(f.label, lower(l.host) || '/') ORDER BY f.label`,
    [id],
  );
  return rows.map(({ repository }) => repository);
}

/** Returns the listings from which a relation leads to this one. */
export async function loadRelatedListings(connection: Connection, id: string): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT DISTINCT from_listing_id AS id FROM relation
     WHERE to_listing_id = $1 AND from_listing_id IS NOT NULL ORDER BY 1`,
    [id],
  );
  return rows.map((row) => row.id);
}
