import type { Connection } from '../../platform/database/connect.ts';
import type { NamingEntry, PackageRepository } from './confirm-package.ts';
import { IS_CURRENT, NAMES_REPOSITORY } from './decide-packages.queries.ts';

/** A listing whose repository is or was named by entries of the MCP registry. */
export interface MadeListing extends PackageRepository {
  id: string;
  /** Namespace stored as the fact `official_maker`; null if none is stored. */
  stored: string | null;
  /** Time of that fact; null if none is stored. */
  storedAt: string | null;
  /** Current entries that name the repository, those changed last first. */
  entries: (NamingEntry & { version: string; updatedAt: string })[];
}

// Joins entries and stored facts, so it is hand-written. Most listings have neither, and are left out by their indexes.
const MADE = `
SELECT l.subject_id AS id, l.host, l.repository, l.host_repository_id AS "hostRepositoryId",
  o.value ->> 'namespace' AS stored, utc_text(o.observed_at) AS "storedAt",
  (SELECT coalesce(json_agg(json_build_object('serverName', e.server_name, 'version', e.version, 'updatedAt', utc_text(e.updated_at), 'host', e.host,
     'repository', e.repository, 'hostRepositoryId', e.host_repository_id, 'packages', e.packages)
     ORDER BY e.updated_at DESC, e.server_name), '[]') FROM mcp_registry_entry e WHERE ${NAMES_REPOSITORY} AND ${IS_CURRENT}) AS entries
FROM listing l LEFT JOIN observed_fact o
  ON o.subject_id = l.subject_id AND o.fact = 'official_maker' AND o.source = $2
WHERE l.subject_id = ANY ($1::uuid[]) AND (o.subject_id IS NOT NULL
  OR EXISTS (SELECT FROM mcp_registry_entry e WHERE ${NAMES_REPOSITORY}))
ORDER BY l.subject_id`;

/** Loads the given listings that have an official maker, or whose repository an entry of the MCP registry names. */
export function loadMadeListings(
  connection: Connection,
  ids: readonly string[],
  source: string,
): Promise<MadeListing[]> {
  return connection.query<MadeListing>(MADE, [ids, source]);
}
