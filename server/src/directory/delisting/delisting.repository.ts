import type { Connection } from '../../database/connect.ts';
import { NOW } from '../../database/models/expressions.ts';

/** One stay of a listing outside of the directory, without its rows. */
export interface StoredDelisting {
  id: number;
  subjectId: string;
  agentId: string;
  host: string;
  repository: string;
  reason: string;
  delistedAt: Date;
  /** Null while it lasts. */
  relistedAt: Date | null;
}

/** All but the rows that it keeps, which may be large. */
const COLUMNS = ['id', 'subjectId', 'agentId', 'host', 'repository', 'reason', 'delistedAt', 'relistedAt'];

/** The delisting that lasts of a listing, by its subject's id. */
export function findLasting(
  { models, transaction }: Connection,
  subjectId: string,
): Promise<StoredDelisting | null> {
  const where = { subjectId, relistedAt: null };
  return models.Delisting.findOne<StoredDelisting>({ attributes: COLUMNS, where, raw: true, transaction });
}

/** Every delisting, the latest first, those that are over too. */
export function findDelistings({ models, transaction }: Connection): Promise<StoredDelisting[]> {
  return models.Delisting.findAll<StoredDelisting>({
    attributes: COLUMNS,
    order: [['id', 'DESC']],
    raw: true,
    transaction,
  });
}

/** Ends a delisting whose rows are back. */
export async function endDelisting({ models, transaction }: Connection, id: number): Promise<void> {
  await models.Delisting.update({ relistedAt: NOW, kept: null }, { where: { id }, transaction });
}

/** What others must know of a listing that leaves or comes back. */
export interface Surroundings {
  agentId: string;
  host: string;
  repository: string;
  creatorId: string;
  /** Listings that have it as their parent. */
  children: string[];
  npm: string[];
  pypi: string[];
}

/** A listing with its children and the packages that it and what is inside it name; null where it is not listed. */
export async function loadSurroundings(connection: Connection, id: string): Promise<Surroundings | null> {
  const packages = (column: string) => `ARRAY(SELECT l.${column} WHERE l.${column} IS NOT NULL
    UNION SELECT a.${column} FROM artifact a WHERE a.listing_id = l.subject_id AND a.${column} IS NOT NULL)`;
  const [row] = await connection.query<Surroundings>(
    `SELECT l.agent_id AS "agentId", l.host, l.repository, l.creator_id AS "creatorId",
       ARRAY(SELECT c.subject_id FROM listing c WHERE c.parent_id = l.subject_id ORDER BY 1) AS children,
       ${packages('npm_package')} AS npm, ${packages('pypi_package')} AS pypi
     FROM listing l WHERE l.subject_id = $1`,
    [id],
  );
  return row ?? null;
}

/** Names on its host that a listing had before. */
export async function loadFormerRepositories(connection: Connection, id: string): Promise<string[]> {
  const rows = await connection.query<{ repository: string }>(
    `SELECT substr(f.label, length(l.host) + 2) AS repository FROM subject_alias f
     JOIN listing l ON l.subject_id = f.subject_id
     WHERE f.subject_id = $1 AND f.kind = 'former' AND starts_with(f.label, lower(l.host) || '/') ORDER BY f.label`,
    [id],
  );
  return rows.map(({ repository }) => repository);
}

/** Listings of which a relation to this one is stated. */
export async function loadRelated(connection: Connection, id: string): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT DISTINCT from_listing_id AS id FROM relation
     WHERE to_listing_id = $1 AND from_listing_id IS NOT NULL ORDER BY 1`,
    [id],
  );
  return rows.map((row) => row.id);
}
