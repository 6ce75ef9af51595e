import type { Connection } from '../../database/connect.ts';
import type { Delisted } from '../../subjects/delisted.ts';

/** A repository as the one who lists it names it. */
interface NamedRepository {
  host: string;
  repository: string;
  /** The host's own id, where it is known. */
  hostRepositoryId?: string | null;
  /** What the repository was called before, on its host. */
  formerRepositories?: readonly string[];
}

/**
 * The delistings that keep these repositories out, by their position. Where both ids are known they decide: another
 * repository may have the name by now. Else its name does, and any that the repository says it had before.
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
    `SELECT DISTINCT ON (r.position) r.position, d.host, d.repository, d.reason,
       to_char(d.delisted_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS day
     FROM jsonb_to_recordset($1::jsonb) AS r(position int, host text, id text, names text[])
     JOIN delisting d ON d.relisted_at IS NULL AND lower(d.host) = lower(r.host)
       AND CASE WHEN d.host_repository_id IS NULL OR r.id IS NULL THEN lower(d.repository) = ANY (r.names)
         ELSE d.host_repository_id = r.id END
     ORDER BY r.position, d.id`,
    [JSON.stringify(asked)],
  );
  return new Map(rows.map((row) => [row.position, row]));
}
