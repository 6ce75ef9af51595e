import type { Connection } from '../../database/connect.ts';
import type { Delisted } from '../../subjects/delisted.ts';

/** A repository as whoever lists it names it. */
interface NamedRepository {
  host: string;
  repository: string;
  /** The host's own id, where it is known. */
  hostRepositoryId?: string | null;
  /** What the repository was called before, on its host. */
  formerRepositories?: readonly string[];
}

/** One stay of a listing outside of the directory. */
export interface Delisting extends Delisted {
  id: number;
  subjectId: string;
  agentId: string;
  /** `2026-11-23`; null while it lasts. */
  relistedOn: string | null;
}

const DAY = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`;
const COLUMNS = `d.id, d.subject_id AS "subjectId", d.agent_id AS "agentId", d.host, d.repository, d.reason,
  ${DAY('d.delisted_at')} AS day, ${DAY('d.relisted_at')} AS "relistedOn"`;

/**
 * The delistings that keep these repositories out, by their position. Where both ids are known they decide: another
 * repository may bear the name by now. Else its name does, and any that the repository says it had before.
 */
export async function findDelistings(
  connection: Connection,
  repositories: readonly NamedRepository[],
): Promise<Map<number, Delisted>> {
  if (repositories.length === 0) return new Map();
  const asked = repositories.map(({ host, repository, hostRepositoryId, formerRepositories }, position) => ({
    position,
    host,
    id: hostRepositoryId ?? null,
    names: [repository, ...(formerRepositories ?? [])].map((name) => name.toLowerCase()),
  }));
  const rows = await connection.query<Delisted & { position: number }>(
    `SELECT DISTINCT ON (r.position) r.position, ${COLUMNS}
     FROM jsonb_to_recordset($1::jsonb) AS r(position int, host text, id text, names text[])
     JOIN delisting d ON d.relisted_at IS NULL AND lower(d.host) = lower(r.host)
       AND CASE WHEN d.host_repository_id IS NULL OR r.id IS NULL THEN lower(d.repository) = ANY (r.names)
         ELSE d.host_repository_id = r.id END
     ORDER BY r.position, d.id`,
    [JSON.stringify(asked)],
  );
  return new Map(rows.map((row) => [row.position, row]));
}

/** The delisting that lasts of a listing, by its subject's id. */
export async function findLasting(connection: Connection, subjectId: string): Promise<Delisting | null> {
  const [row] = await connection.query<Delisting>(
    `SELECT ${COLUMNS} FROM delisting d WHERE d.subject_id = $1 AND d.relisted_at IS NULL`,
    [subjectId],
  );
  return row ?? null;
}

/** Every delisting, the latest first, those that are over too. */
export function listDelistings(connection: Connection): Promise<Delisting[]> {
  return connection.query<Delisting>(`SELECT ${COLUMNS} FROM delisting d ORDER BY d.id DESC`);
}

/** Ends a delisting whose rows are back. */
export async function endDelisting(connection: Connection, id: number): Promise<void> {
  await connection.query('UPDATE delisting SET relisted_at = ledger_now(), kept = NULL WHERE id = $1', [id]);
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
