import { batchSource } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { PackageName } from '../advisories/ecosystems.ts';
import { packageClaimants, pypiName, refreshArtifactAliases } from '../listings/listing-aliases.ts';
import type { RowOutcome, SavedBatch } from '../listings/listing-row.ts';
import { lockSubjects } from '../listings/write-listings.ts';
import { listingKey, packageKeys } from '../registry-keys.ts';
import { readLocked } from '../registry-locks.ts';
import { refreshPackages } from './decide-packages.ts';
import { missingPackage, namesByEcosystem, type ReadPackage } from './registry-reading.ts';

/**
 * Stores readings, at most one for each package, and decides again which listings have these packages. Imported
 * readings (`isImport`) count as read at `readAt` or at the record's last change, whichever is later, and never replace
 * a later reading. The caller has called lockRegistry, or lockKeys for the packages.
 */
export async function savePackageReadings(
  connection: Connection,
  readings: readonly ReadPackage[],
  { isImport, readAt = null }: { isImport: boolean; readAt?: Date | null },
): Promise<SavedBatch> {
  const listings = await lockConcerned(connection, readings);
  const stored = await upsertReadings(connection, readings, isImport, readAt);
  const changed = stored.filter(({ isChanged }) => isChanged);
  const outcomes = readings.map((reading): RowOutcome => {
    const found = changed.find((each) => isSame(each, reading));
    return found === undefined ? 'unchanged' : found.isNew ? 'added' : 'changed';
  });
  const nothing = { outcomes, saved: [], due: [], dueByLineage: [] };
  if (isImport && stored.length === 0) return nothing;
  const { due, storeAliases } = await refreshPackages(connection, listings);
  const turned = namesByEcosystem(changed.filter(({ isTurned }) => isTurned));
  return {
    ...nothing,
    due,
    storeAliases: async () => {
      await storeAliases();
      // A reading changes no column of an artifact, so the aliases of artifacts with the package are refreshed here.
      const { artifacts } = await packageClaimants(connection, turned);
      await refreshArtifactAliases(connection, artifacts);
    },
  };
}

/** Renews the time of an unchanged reading, and the facts derived from it. Returns the subjects to be scored again. */
export async function confirmPackageReading(
  connection: Connection,
  name: PackageName,
  monthlyDownloads: number | null,
): Promise<readonly string[]> {
  const reading = { ...missingPackage(name), outcome: 'read' as const };
  const listings = await lockConcerned(connection, [reading]);
  await renewReading(connection, name, monthlyDownloads);
  const { due, storeAliases } = await refreshPackages(connection, listings);
  await storeAliases();
  return due;
}

async function lockConcerned(connection: Connection, readings: readonly ReadPackage[]): Promise<string[]> {
  const listings = await readLocked(
    connection,
    () => listingsConcerned(connection, readings),
    (ids) => [...packageKeys(namesByEcosystem(readings)), ...ids.map(listingKey)],
  );
  await lockSubjects(connection, listings);
  return listings;
}

function isSame(one: PackageName, other: PackageName): boolean {
  return one.ecosystem === other.ecosystem && one.name === other.name;
}

const COLUMNS = `ecosystem text, name text, outcome text, version text, released_at timestamptz, host text,
  repository text, provenance text, deprecated boolean, monthly_downloads bigint, default_version text,
  version_times jsonb, modified_at timestamptz, read_at timestamptz`;

const CONTENT = [
  'outcome',
  'version',
  'released_at',
  'host',
  'repository',
  'provenance',
  'deprecated',
  'default_version',
  'version_times',
];

/**
 * Columns about a version that some forms of a registry's answer omit. If an answer omits them, the stored values of
 * the same version are kept.
 */
const KEPT = ['released_at', 'provenance', 'version_times'];

const KEPT_VALUES = KEPT.map(
  (column) => `coalesce(r.${column}, CASE WHEN o.version = r.version THEN o.${column} END) AS ${column}`,
).join(', ');

/**
 * Builds SQL for the time of a reading. An imported record may be old, so it counts as read at its last change, unless
 * `read_at` states a later time.
 */
const readingTime = (isImport: boolean) =>
  isImport
    ? 'least(coalesce(greatest(r.read_at, coalesce(r.modified_at, r.released_at)), ledger_now()), ledger_now())'
    : 'ledger_now()';

/** Builds SQL for a row of the columns in CONTENT. Those that are also in KEPT come from the table `kept`. */
const content = (table: string, kept = table) =>
  `(${CONTENT.map((column) => `${KEPT.includes(column) ? kept : table}.${column}`).join(', ')})`;

// An imported record that is older than the stored reading changes nothing, even if that reading found no such package.
// A reading from the registry itself is always stored, and so is a later imported reading whose time `readAt` states,
// because it renews the time.
const saveFrom = (rows: string, isImport: boolean) => `
WITH given AS MATERIALIZED (
  SELECT r.ecosystem, r.name, r.outcome, r.version, kept.released_at, r.host, r.repository, kept.provenance, r.deprecated,
    r.default_version, kept.version_times, r.monthly_downloads, ${readingTime(isImport)} AS observed_at, r.read_at IS NOT NULL AS is_dated, o.outcome IS NULL AS is_new, (r.outcome = 'missing') <> coalesce(o.outcome = 'missing', false) AS is_turned,
    ${content('r', 'kept')} IS DISTINCT FROM ${content('o')}
      OR coalesce(r.monthly_downloads, o.monthly_downloads) IS DISTINCT FROM o.monthly_downloads AS changes
  FROM ${rows} r LEFT JOIN package_reading o ON o.ecosystem = r.ecosystem AND o.name = r.name
  CROSS JOIN LATERAL (SELECT ${KEPT_VALUES}) AS kept
  ${isImport ? `WHERE o.observed_at IS NULL OR ${readingTime(true)} > o.observed_at` : ''}),
stored AS (
  INSERT INTO package_reading AS p (ecosystem, name, ${CONTENT.join(', ')}, monthly_downloads, observed_at)
  SELECT ecosystem, name, ${CONTENT.join(', ')}, monthly_downloads, observed_at FROM given
  ${isImport ? 'WHERE changes OR is_dated' : ''}
  ON CONFLICT (ecosystem, name) DO UPDATE SET ${CONTENT.map((column) => `${column} = excluded.${column}`).join(', ')},
    monthly_downloads = coalesce(excluded.monthly_downloads, p.monthly_downloads), observed_at = excluded.observed_at)
SELECT ecosystem, name, is_new AS "isNew", is_turned AS "isTurned", changes AS "isChanged" FROM given
WHERE changes OR is_dated`;

/**
 * A package whose stored reading changed, or of which an import with `readAt` renewed only the time (`isChanged` is
 * then false).
 */
interface StoredChange extends PackageName {
  readonly isChanged: boolean;
  readonly isNew: boolean;
  /** True if the package has appeared in the registry, or disappeared from it, since the stored reading. */
  readonly isTurned: boolean;
}

/** Stores readings of different packages; returns those that changed or were renewed. */
async function upsertReadings(
  connection: Connection,
  readings: readonly ReadPackage[],
  isImport: boolean,
  readAt: Date | null,
): Promise<StoredChange[]> {
  const records = readings.map(
    ({ releasedAt, monthlyDownloads, defaultVersion, versionTimes, modifiedAt, ...same }) => ({
      ...same,
      released_at: releasedAt,
      monthly_downloads: monthlyDownloads,
      default_version: defaultVersion,
      version_times: versionTimes,
      modified_at: modifiedAt,
      read_at: readAt?.toISOString() ?? null,
    }),
  );
  const { from, bind } = await batchSource(connection, COLUMNS, records);
  return connection.query<StoredChange>(saveFrom(from, isImport), bind);
}

/** Updates the time and the downloads of a reading that the registry reports as unchanged. */
async function renewReading(
  connection: Connection,
  { ecosystem, name }: PackageName,
  monthlyDownloads: number | null,
): Promise<void> {
  await connection.query(
    `UPDATE package_reading SET observed_at = ledger_now(), monthly_downloads = coalesce($3::bigint, monthly_downloads)
     WHERE ecosystem = $1 AND name = $2`,
    [ecosystem, name, monthlyDownloads],
  );
}

// Selects the listings that have a package, and the listings of repositories that its metadata name or named.
const CONCERNED = `
WITH asked AS MATERIALIZED (
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS r(ecosystem text, name text, host text, repository text)),
named AS (
  SELECT lower(host) AS host, lower(repository) AS repository FROM asked WHERE host IS NOT NULL
  UNION SELECT lower(o.host), lower(o.repository) FROM asked JOIN package_reading o USING (ecosystem, name)
    WHERE o.host IS NOT NULL)
SELECT l.subject_id AS id FROM asked JOIN listing l ON asked.ecosystem = 'npm' AND l.npm_package = asked.name
UNION SELECT l.subject_id FROM asked JOIN listing l ON asked.ecosystem = 'pypi' AND ${pypiName('l')} = asked.name
UNION SELECT l.subject_id FROM named JOIN listing l ON lower(l.host) = named.host
  AND lower(l.repository) = named.repository
ORDER BY 1`;

/**
 * Returns the listings whose packages may change because of these readings. Must be called before the readings are
 * stored.
 */
async function listingsConcerned(
  connection: Connection,
  readings: readonly ReadPackage[],
): Promise<string[]> {
  const asked = readings.map(({ ecosystem, name, host, repository }) => ({
    ecosystem,
    name,
    host,
    repository,
  }));
  const rows = await connection.query<{ id: string }>(CONCERNED, [JSON.stringify(asked)]);
  return rows.map(({ id }) => id);
}
