import type { Connection } from '../../database/connect.ts';

/** One name on PyPI, however it is written; as its index has it. */
const pypiName = (listing: string) => `lower(regexp_replace(${listing}.pypi_package, '[-_.]+', '-', 'g'))`;

// Only a version that was read from the registry shows that the package is there; lists name packages that are not.
const isConfirmed = (registry: 'npm' | 'pypi') => `coalesce(l.imported ->> '${registry}Version' <> ''
         AND l.imported ->> '${registry}Package' = l.${registry}_package, false)`;

/** What its page tells of a listing beside its record. */
export interface ListingFacts {
  host: string;
  homepage: string | null;
  /** Null where another listing names the same one: then nobody can say whose it is. */
  npmPackage: string | null;
  pypiPackage: string | null;
  /** The registry had the package when the source read it: the source gives its version there. */
  isNpmConfirmed: boolean;
  isPypiConfirmed: boolean;
  /** Its name in the MCP registry, as a list has it. */
  mcpRegistryName: string | null;
  /** When stars, forks, open issues and the last commit were read; null where the source gives no moment. */
  figuresAt: string | null;
}

/** What a listing says of itself, and its packages; throws where it is gone. */
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

/** Whose a listing was before, latest first. A creator that is now known to be the present one was nobody else. */
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

/** The agents and skills inside a listed repository, by name. */
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
