import type { Connection } from '../../platform/database/connect.ts';

/** Source name of agent cards and indexes of skills in the table `source_reading`. */
export const WELL_KNOWN_SOURCE = 'well-known';

/** Facts that domains publish about listings. The source of such a fact is the domain. */
export const DOMAIN_FACTS = ['agent_card', 'skills_index'] as const;

/** A listing that a domain may name. */
export interface NamedByDomain {
  id: string;
  host: string;
  repository: string;
  hostOwnerId: string | null;
  homepage: string | null;
}

/** Returns the listings of these repositories, given as `host/owner/name` in lower case. */
export function findNamedListings(
  connection: Connection,
  repositories: readonly string[],
): Promise<NamedByDomain[]> {
  return connection.query<NamedByDomain>(
    `SELECT l.subject_id AS id, l.host, l.repository, l.host_owner_id AS "hostOwnerId", l.homepage
     FROM unnest($1::text[]) AS asked(name) JOIN listing l ON lower(l.host) = split_part(asked.name, '/', 1)
       AND lower(l.repository) = substr(asked.name, length(split_part(asked.name, '/', 1)) + 2)
     ORDER BY l.subject_id`,
    [repositories],
  );
}

/** Returns the listings that have this kind of fact from this domain. */
export async function findListingsOfDomain(
  connection: Connection,
  fact: (typeof DOMAIN_FACTS)[number],
  domain: string,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    'SELECT subject_id AS id FROM observed_fact WHERE fact = $1 AND source = $2 ORDER BY 1',
    [fact, domain],
  );
  return rows.map(({ id }) => id);
}

/** Returns the domains that have stored facts but are not among the given ones. */
export async function findFormerDomains(
  connection: Connection,
  domains: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ source: string }>(
    `SELECT DISTINCT source FROM observed_fact WHERE fact = ANY ($1::text[]) AND source <> ALL ($2::text[]) ORDER BY 1`,
    [DOMAIN_FACTS, domains],
  );
  return rows.map(({ source }) => source);
}

/** Returns the domains that are scheduled for reading, and whether each was read. */
export function loadWellKnownDomains(
  connection: Connection,
): Promise<{ domain: string; wasRead: boolean }[]> {
  return connection.query(
    'SELECT item AS domain, checked_at IS NOT NULL AS "wasRead" FROM source_reading WHERE source = $1',
    [WELL_KNOWN_SOURCE],
  );
}
