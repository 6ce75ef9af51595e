import type { Connection } from '../../../platform/database/connect.ts';

/** Builds SQL for a PyPI package name, normalised as the index does. */
const pypiName = (listing: string) => `lower(regexp_replace(${listing}.pypi_package, '[-_.]+', '-', 'g'))`;

// Only a version read from the registry proves that the package exists; lists also name packages that do not.
const isConfirmed = (registry: 'npm' | 'pypi') => `coalesce(l.imported ->> '${registry}Version' <> ''
         AND l.imported ->> '${registry}Package' = l.${registry}_package, false)`;

/** Facts on a listing's page that its record lacks. */
export interface ListingFacts {
  host: string;
  homepage: string | null;
  /** Null if several listings name the package, so that its owner is unclear. */
  npmPackage: string | null;
  pypiPackage: string | null;
  /** True if the source read the package from its registry: it states the version. */
  isNpmConfirmed: boolean;
  isPypiConfirmed: boolean;
  /** Name in the MCP registry, according to a list. */
  mcpRegistryName: string | null;
  /** Time when stars, forks, issues and last commit were read; null if the source gives none. */
  figuresAt: string | null;
}

/** Reads a listing's facts and packages; throws if the listing is gone. */
export async function findListingFacts(connection: Connection, listingId: string): Promise<ListingFacts> {
  const [found] = await connection.query<ListingFacts>(
    `SELECT l.host, l.homepage, CASE WHEN NOT EXISTS (SELECT FROM listing o
         WHERE o.npm_package = l.npm_package AND o.subject_id <> l.subject_id) THEN l.npm_package END AS "npmPackage",
       CASE WHEN NOT EXISTS (SELECT FROM listing o
         WHERE o.pypi_package IS NOT NULL AND ${pypiName('o')} = ${pypiName('l')} AND o.subject_id <> l.subject_id) THEN l.pypi_package END AS "pypiPackage",
       ${isConfirmed('npm')} AS "isNpmConfirmed", ${isConfirmed('pypi')} AS "isPypiConfirmed",
       l.imported ->> 'mcpRegistryName' AS "mcpRegistryName", utc_text(l.metrics_observed_at) AS "figuresAt"
     FROM listing l WHERE l.subject_id = $1`,
    [listingId],
  );
  if (!found) throw new Error(`the listing ${listingId} is gone`);
  return found;
}

/** Lists former creators, latest first. A creator that was merged into the present one does not count. */
export function listFormerCreators(
  connection: Connection,
  listingId: string,
  limit: number,
): Promise<{ id: string; name: string; until: string }[]> {
  return connection.query(
    `SELECT c.subject_id AS id, coalesce(c.display_name, c.handle) AS name, utc_text(max(h.until)) AS until
     FROM listing_creator_history h JOIN listing l ON l.subject_id = h.listing_id
     JOIN creator past ON past.subject_id = h.creator_id
     JOIN creator c ON c.subject_id = coalesce(past.merged_into, past.subject_id)
     WHERE h.listing_id = $1 AND c.subject_id <> l.creator_id
     GROUP BY c.subject_id ORDER BY max(h.until) DESC LIMIT ${limit}`,
    [listingId],
  );
}

/** Lists the agents and skills inside a listed repository, by name. */
export function listArtifacts(
  connection: Connection,
  listingId: string,
  limit: number,
): Promise<{ id: string; type: 'agent' | 'skill'; name: string; description: string }[]> {
  return connection.query(
    `SELECT subject_id AS id, type, name, description FROM artifact WHERE listing_id = $1
     ORDER BY lower(name), subject_id LIMIT ${limit}`,
    [listingId],
  );
}
