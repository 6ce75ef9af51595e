import type { Connection } from '../../platform/database/connect.ts';
import { packageKeys } from '../registry-keys.ts';
import { readLocked } from '../registry-locks.ts';
import {
  type ArtifactNames,
  artifactAliases,
  type ListingNames,
  listingAliases,
} from '../subjects/stored-aliases.ts';
import { IS_ID, replaceAliases } from '../subjects/subject-alias.queries.ts';
import type { ListedType } from './listing-row.ts';

/** Builds SQL that normalises a PyPI name (PEP 503). The indexes use the same expression. */
export const normalPypiName = (name: string) => `lower(regexp_replace(${name}, '[-_.]+', '-', 'g'))`;

/** Builds SQL for the normalised PyPI name of a table's row. */
export const pypiName = (table: string) => normalPypiName(`${table}.pypi_package`);

/**
 * Builds SQL that is true if the package of listing `l` belongs to no other listing `o`. A confirmed claim takes
 * precedence over unconfirmed claims, which lists make. If two listings have confirmed claims, or two have claims and
 * none is confirmed, the package belongs to neither.
 */
const isOnlyClaim = (registry: 'npm' | 'pypi', isSame: string) => `NOT EXISTS (SELECT FROM listing o
    WHERE ${isSame} AND o.subject_id <> l.subject_id AND (o.${registry}_confirmed OR NOT l.${registry}_confirmed))`;

/** Builds SQL that is true if, at its last reading, the registry had no package of this name. */
const isMissing = (registry: 'npm' | 'pypi', name: string) => `EXISTS (SELECT FROM package_reading r
    WHERE r.ecosystem = '${registry}' AND r.name = ${name} AND r.outcome = 'missing')`;

/** SQL that is true if the npm package of listing `l` belongs to no other listing. */
export const HAS_NPM_ALONE = isOnlyClaim('npm', 'o.npm_package = l.npm_package');

/** SQL that is true if the PyPI package of listing `l` belongs to no other listing. */
export const HAS_PYPI_ALONE = isOnlyClaim('pypi', `${pypiName('o')} = ${pypiName('l')}`);

/**
 * SQL that is true if the npm package of listing `l`, or of artifact `a` inside it, is confirmed. An artifact's package
 * is only a claim of a third-party list. It therefore counts as confirmed only if it is the confirmed package of the
 * listing.
 */
export const HAS_CONFIRMED_NPM =
  'l.npm_confirmed AND (a.subject_id IS NULL OR a.npm_package = l.npm_package)';

/** SQL that is true if the PyPI package of listing `l`, or of artifact `a` inside it, is confirmed. */
export const HAS_CONFIRMED_PYPI =
  'l.pypi_confirmed AND (a.subject_id IS NULL OR a.pypi_package = l.pypi_package)';

// Builds SQL for the former names of a listing: names that a source stated as former, and earlier names of the
// repository with the same id. They are never removed.
const formerNames = (listing: string) => `ARRAY(SELECT substr(f.label, length(${listing}.host) + 2)
  FROM subject_alias f WHERE f.subject_id = ${listing}.subject_id AND f.kind = 'former'
  AND starts_with(f.label, lower(${listing}.host) || '/') ORDER BY f.label)`;

/** Builds SQL for the ids of subjects that were merged into `subject`. Aliases of these ids are never removed. */
const formerIds = (
  subject: string,
) => `ARRAY(SELECT f.label FROM subject_alias f WHERE f.subject_id = ${subject}
  AND f.kind = 'former' AND ${IS_ID('f.label')} ORDER BY f.label)`;

/**
 * Selects the names of listings. Leaves out a package that belongs to another listing, that several listings claim with
 * equal right, or that its registry does not have.
 */
const LISTING_NAMES = `
SELECT l.subject_id AS id, l.type, l.agent_id AS "agentId", l.host, l.repository, l.name,
  CASE WHEN NOT l.npm_missing AND ${HAS_NPM_ALONE} THEN l.npm_package END AS "npmPackage",
  CASE WHEN NOT l.pypi_missing AND ${HAS_PYPI_ALONE} THEN l.pypi_package END AS "pypiPackage",
  array_remove(ARRAY[l.npm_package], NULL) AS npm, array_remove(ARRAY[l.pypi_package], NULL) AS pypi,
  ${formerNames('l')} AS "formerRepositories", ${formerIds('l.subject_id')} AS "formerIds"
FROM listing l WHERE l.subject_id = ANY ($1::uuid[])`;

/**
 * Selects the names of artifacts. Leaves out a package that a listing claims, because the package belongs to the
 * listing, and a package that its registry does not have.
 */
const ARTIFACT_NAMES = `
SELECT a.subject_id AS id, a.type, l.host, l.repository, a.name, a.path,
  CASE WHEN NOT EXISTS (SELECT FROM listing o WHERE o.npm_package = a.npm_package)
    AND NOT ${isMissing('npm', 'a.npm_package')} THEN a.npm_package END AS "npmPackage",
  CASE WHEN NOT EXISTS (SELECT FROM listing o WHERE ${pypiName('o')} = ${pypiName('a')})
    AND NOT ${isMissing('pypi', pypiName('a'))} THEN a.pypi_package END AS "pypiPackage",
  array_remove(ARRAY[a.npm_package], NULL) AS npm, array_remove(ARRAY[a.pypi_package], NULL) AS pypi,
  ${formerNames('l')} AS "formerRepositories", ${formerIds('a.subject_id')} AS "formerIds",
  ARRAY(SELECT n.name FROM artifact_other_name n WHERE n.subject_id = a.subject_id ORDER BY n.name) AS "otherNames"
FROM artifact a JOIN listing l ON l.subject_id = a.listing_id WHERE a.subject_id = ANY ($1::uuid[])`;

/**
 * Selects the artifacts inside listings. Ids are one array parameter, so that one prepared statement serves any number.
 */
const ARTIFACTS_INSIDE =
  'SELECT subject_id AS id FROM artifact WHERE listing_id = ANY ($1::uuid[]) ORDER BY 1';

/** Selects listings and artifacts that claim one of the packages. Reads both tables in one statement. */
const PACKAGE_CLAIMANTS = `WITH asked AS (SELECT DISTINCT ${pypiName('p')} AS pypi FROM unnest($2::text[]) AS p(pypi_package))
  SELECT subject_id AS id, true AS "isListing" FROM listing WHERE npm_package = ANY ($1::text[])
  UNION SELECT l.subject_id, true FROM listing l JOIN asked ON ${pypiName('l')} = asked.pypi
  UNION SELECT subject_id, false FROM artifact WHERE npm_package = ANY ($1::text[])
  UNION SELECT a.subject_id, false FROM artifact a JOIN asked ON ${pypiName('a')} = asked.pypi`;

/** Former names to add, by listing id: `owner/name` on the listing's host. */
export type FormerNames = ReadonlyMap<string, readonly string[]>;

/** Replaces the aliases of listings with their current and former names. */
export async function refreshListingAliases(
  connection: Connection,
  ids: readonly string[],
  newlyFormer: FormerNames = new Map(),
): Promise<void> {
  if (ids.length === 0) return;
  const listings = await readAndLockPackages<ListingNames>(connection, LISTING_NAMES, ids);
  const named = listings.map((listing) => ({
    subjectId: listing.id,
    subjectType: listing.type,
    aliases: listingAliases({
      ...listing,
      formerRepositories: [...listing.formerRepositories, ...(newlyFormer.get(listing.id) ?? [])],
    }),
  }));
  await replaceAliases(connection, named);
}

/** Replaces the aliases of artifacts. The former names of their repositories must already be stored. */
export async function refreshArtifactAliases(connection: Connection, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const artifacts = await readAndLockPackages<ArtifactNames>(connection, ARTIFACT_NAMES, ids);
  const named = artifacts.map((artifact) => ({
    subjectId: artifact.id,
    subjectType: artifact.type,
    aliases: artifactAliases(artifact),
  }));
  await replaceAliases(connection, named);
}

/**
 * Reads the names of listings or artifacts, and locks the packages that they claim, so that no concurrent change makes
 * a package ambiguous or unambiguous.
 */
function readAndLockPackages<Names>(
  connection: Connection,
  sql: string,
  ids: readonly string[],
): Promise<(Names & PackageNames & { type: ListedType })[]> {
  return readLocked(
    connection,
    () => connection.query<Names & PackageNames & { type: ListedType }>(sql, [ids]),
    (found) => found.flatMap(packageKeys),
  );
}

/** Returns the artifacts inside the listings. */
export async function artifactsInside(
  connection: Connection,
  listingIds: readonly string[],
): Promise<string[]> {
  if (listingIds.length === 0) return [];
  const rows = await connection.query<{ id: string }>(ARTIFACTS_INSIDE, [listingIds]);
  return rows.map(({ id }) => id);
}

/** Package names as sources state them. */
export interface PackageNames {
  npm: readonly string[];
  pypi: readonly string[];
}

/** Returns the listings and artifacts that claim one of the packages. */
export async function packageClaimants(
  connection: Connection,
  { npm, pypi }: PackageNames,
): Promise<{ listings: string[]; artifacts: string[] }> {
  if (npm.length === 0 && pypi.length === 0) return { listings: [], artifacts: [] };
  const rows = await connection.query<{ id: string; isListing: boolean }>(PACKAGE_CLAIMANTS, [npm, pypi]);
  return {
    listings: rows.filter(({ isListing }) => isListing).map(({ id }) => id),
    artifacts: rows.filter(({ isListing }) => !isListing).map(({ id }) => id),
  };
}
