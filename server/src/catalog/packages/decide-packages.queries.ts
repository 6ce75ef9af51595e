import type { Connection } from '../../platform/database/connect.ts';
import type { Ecosystem, PackageName } from '../advisories/ecosystems.ts';
import { packagesWithMalware, STANDING_SOURCE } from '../facts/package-standing.queries.ts';
import type { NamingEntry, OtherPackage, PackageRepository } from './confirm-package.ts';
import type { StoredReading } from './registry-reading.ts';

/**
 * A listing with its packages, as a list states them and as they are stored, and the MCP registry entries about it.
 */
export interface PackageCandidate extends PackageRepository {
  id: string;
  statedNpm: unknown;
  statedPypi: unknown;
  npmPackage: string | null;
  pypiPackage: string | null;
  npmConfirmed: boolean;
  pypiConfirmed: boolean;
  npmMissing: boolean;
  pypiMissing: boolean;
  otherPackages: OtherPackage[];
  /** Packages that manifests in the repository name. */
  manifest: { ecosystem: string; name: string; path: string }[];
  /** Stored facts about published packages, by source. */
  published: Readonly<Record<string, { value: object; observedAt: string }>>;
  /**
   * Packages with malware that are or were the listing's, the worst first; null if its packages were never judged.
   */
  malware: { ecosystem: Ecosystem; name: string }[] | null;
  /**
   * True if the stored downloads are those that the list states for the stored npm package, or if the listing has no
   * imported row.
   */
  hasOwnDownloads: boolean;
  entries: NamingEntry[];
}

/** SQL that is true if `e` is the current entry of its server: the latest version that is not deleted. */
export const IS_CURRENT = `e.status <> 'deleted' AND NOT EXISTS (SELECT FROM mcp_registry_entry n
    WHERE n.server_name = e.server_name AND n.status <> 'deleted'
    AND (n.is_latest, n.published_at, n.version) > (e.is_latest, e.published_at, e.version))`;

/** SQL that is true for entries `e` that name the repository of listing `l`. */
export const NAMES_REPOSITORY = 'lower(e.host) = lower(l.host) AND lower(e.repository) = lower(l.repository)';

/** Builds SQL for the downloads that a list states for the package `name` of listing `l`; null for another package. */
const statedDownloads = (name: string) =>
  `CASE WHEN btrim(l.imported ->> 'npmPackage') = ${name} THEN (l.imported ->> 'npmMonthlyDownloads')::bigint END`;

// Builds SQL for the package name that a list states. A listing without an imported row has the stated name in its own
// column, as long as the name is not confirmed.
const statedName = (registry: 'npm' | 'pypi') => `CASE WHEN l.imported IS NULL AND NOT l.${registry}_confirmed
    THEN to_jsonb(l.${registry}_package) ELSE l.imported -> '${registry}Package' END`;

// Most listings have neither a package nor an entry. The condition leaves them out before their rows are read whole.
const CANDIDATES = `
SELECT l.subject_id AS id, l.host, l.repository, l.host_repository_id AS "hostRepositoryId",
  utc_text(l.repository_created_at) AS "repositoryCreatedAt",
  ${statedName('npm')} AS "statedNpm", ${statedName('pypi')} AS "statedPypi",
  l.npm_package AS "npmPackage", l.pypi_package AS "pypiPackage", l.npm_confirmed AS "npmConfirmed",
  l.pypi_confirmed AS "pypiConfirmed", l.npm_missing AS "npmMissing", l.pypi_missing AS "pypiMissing",
  l.other_packages AS "otherPackages",
  (SELECT coalesce(jsonb_agg(p.value ORDER BY p.value), '[]') FROM observed_fact f, jsonb_array_elements(f.value -> 'packages') AS p
   WHERE f.subject_id = l.subject_id AND f.fact = 'manifest') AS manifest,
  (SELECT coalesce(jsonb_object_agg(f.source, jsonb_build_object('value', f.value, 'observedAt', utc_text(f.observed_at))), '{}')
   FROM observed_fact f WHERE f.subject_id = l.subject_id AND f.fact = 'published_package') AS published,
  (SELECT coalesce(${packagesWithMalware('f.value')}, '[]') FROM observed_fact f
   WHERE f.subject_id = l.subject_id AND f.fact = 'package_standing' AND f.source = '${STANDING_SOURCE}') AS malware,
  l.imported IS NULL OR l.npm_monthly_downloads IS NOT DISTINCT FROM ${statedDownloads('l.npm_package')} AS "hasOwnDownloads",
  (SELECT coalesce(json_agg(json_build_object('serverName', e.server_name, 'host', e.host, 'repository', e.repository,
     'hostRepositoryId', e.host_repository_id, 'packages', e.packages)), '[]')
   FROM mcp_registry_entry e WHERE ${NAMES_REPOSITORY} AND ${IS_CURRENT}) AS entries
FROM listing l WHERE l.subject_id = ANY ($1::uuid[]) AND (l.npm_package IS NOT NULL OR l.pypi_package IS NOT NULL
  OR EXISTS (SELECT FROM mcp_registry_entry e WHERE ${NAMES_REPOSITORY})
  OR EXISTS (SELECT FROM observed_fact f WHERE f.subject_id = l.subject_id AND f.fact IN ('manifest', 'published_package', 'package_standing')))
ORDER BY l.subject_id`;

/**
 * Loads those of the listings that have a package, for which a manifest or an MCP registry entry may name one, or that
 * have stored facts about one.
 */
export function loadCandidates(connection: Connection, ids: readonly string[]): Promise<PackageCandidate[]> {
  return connection.query<PackageCandidate>(CANDIDATES, [ids]);
}

const READINGS = `
SELECT r.ecosystem, r.name, r.outcome, r.version, utc_text(r.released_at) AS "releasedAt", r.host, r.repository,
  r.provenance, r.deprecated, r.monthly_downloads AS "monthlyDownloads", utc_text(r.observed_at) AS "observedAt"
FROM package_reading r JOIN jsonb_to_recordset($1::jsonb) AS asked(ecosystem text, name text)
  ON r.ecosystem = asked.ecosystem AND r.name = asked.name`;

/** Loads the stored readings of packages. A package that was never read has no reading. */
export async function loadReadings(
  connection: Connection,
  packages: readonly PackageName[],
): Promise<StoredReading[]> {
  if (packages.length === 0) return [];
  const asked = packages.map(({ ecosystem, name }) => ({ ecosystem, name }));
  return connection.query<StoredReading>(READINGS, [JSON.stringify(asked)]);
}

/** Packages of a listing to store. */
interface PackageColumns {
  id: string;
  npm_package: string | null;
  pypi_package: string | null;
  npm_confirmed: boolean;
  pypi_confirmed: boolean;
  npm_missing: boolean;
  pypi_missing: boolean;
  other_packages: readonly OtherPackage[];
}

const SAVE = `
UPDATE listing l SET npm_package = r.npm_package, pypi_package = r.pypi_package, npm_confirmed = r.npm_confirmed,
  pypi_confirmed = r.pypi_confirmed, npm_missing = r.npm_missing, pypi_missing = r.pypi_missing,
  other_packages = r.other_packages, npm_monthly_downloads = ${statedDownloads('r.npm_package')},
  updated_at = ledger_now()
FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, npm_package text, pypi_package text, npm_confirmed boolean,
  pypi_confirmed boolean, npm_missing boolean, pypi_missing boolean, other_packages jsonb) WHERE l.subject_id = r.id`;

/** Stores the packages of listings. Downloads that a list states for another package are left out. */
export async function savePackages(
  connection: Connection,
  packages: readonly PackageColumns[],
): Promise<void> {
  if (packages.length === 0) return;
  await connection.query(SAVE, [JSON.stringify(packages)]);
}

// Includes deleted and older versions of the servers, because listings may still have the packages that these name.
const NAMED_BY = `
SELECT DISTINCT l.subject_id AS id FROM mcp_registry_entry e JOIN listing l ON ${NAMES_REPOSITORY}
WHERE e.server_name = ANY ($1::text[]) ORDER BY 1`;

/** Returns the listings whose repositories any version of these servers names. */
export async function listingsNamedBy(
  connection: Connection,
  serverNames: readonly string[],
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(NAMED_BY, [serverNames]);
  return rows.map(({ id }) => id);
}
