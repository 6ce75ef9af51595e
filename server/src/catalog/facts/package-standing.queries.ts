import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { PackageStanding } from '../../scoring/fact-types.ts';
import type { PackageName } from '../advisories/ecosystems.ts';
import { normalPypiName } from '../listings/listing-aliases.ts';
import type { ObservedFacts } from './observed-facts.ts';

/** Source of the fact `package_standing`: advisories of all databases, in the OSV format. */
export const STANDING_SOURCE = 'osv';

/** Builds SQL for the array of all standings in a stored fact `package_standing`: the worst one, then its `others`. */
const everyStanding = (value: string) =>
  `(jsonb_build_array(${value}) || coalesce(${value} -> 'others', '[]'))`;

/** SQL that is true if the package of standing `k` has malware that is not just a researcher's proof of concept. */
const HAS_MALWARE = `k.value -> 'malwareVersions' <> '[]' AND k.value -> 'isResearch' <> 'true'`;

/** Builds SQL for the array of packages with malware in a stored fact `package_standing`. */
export const packagesWithMalware = (value: string) => `
  (SELECT jsonb_agg(jsonb_build_object('ecosystem', k.value -> 'ecosystem', 'name', k.value -> 'name') ORDER BY k.place)
   FROM jsonb_array_elements(${everyStanding(value)}) WITH ORDINALITY AS k (value, place) WHERE ${HAS_MALWARE})`;

/** A package by which a listing is judged, with what is stored about it. */
export interface JudgedPackage extends PackageName {
  /** Id of the listing. */
  readonly id: string;
  /** False for a package that no longer belongs to the listing but had malware when it was last judged. */
  readonly isOwn: boolean;
  /** Stable version that the registry showed at its last reading; null if there is none or it was never read. */
  readonly published: Pick<ObservedFacts['published_package'], 'name' | 'version' | 'releasedAt'> | null;
  /** Version that the registry installs by default, if it is a pre-release; otherwise null. */
  readonly defaultVersion: string | null;
  /** Release times of versions as last read from this registry; null if it was never read. */
  readonly versionTimes: Readonly<Record<string, string>> | null;
  /** Standing stored for the listing before it is judged again; null if there is none. */
  readonly former: PackageStanding | null;
}

// Leaves out packages that only an imported list names, because they may belong to other people. Keeps a former package
// that had malware, so that the Warning does not end when another package replaces it.
const JUDGED = `
SELECT l.subject_id AS id, p.ecosystem, p.name, p.is_own AS "isOwn", r.default_version AS "defaultVersion",
  r.version_times AS "versionTimes",
  CASE WHEN p.is_own THEN v.value
    WHEN r.version IS NOT NULL THEN jsonb_build_object('name', r.name, 'version', r.version,
      'releasedAt', utc_text(r.released_at)) END AS published, s.value AS former
FROM listing l
LEFT JOIN observed_fact s ON s.subject_id = l.subject_id AND s.fact = 'package_standing' AND s.source = $2
CROSS JOIN LATERAL (
  SELECT 'npm', l.npm_package, true WHERE l.npm_confirmed AND l.npm_package IS NOT NULL
  UNION ALL SELECT 'pypi', l.pypi_package, true WHERE l.pypi_confirmed AND l.pypi_package IS NOT NULL
  UNION ALL SELECT k.value ->> 'ecosystem', k.value ->> 'name', false
    FROM jsonb_array_elements(${everyStanding('s.value')}) AS k WHERE ${HAS_MALWARE}) AS p (ecosystem, name, is_own)
LEFT JOIN LATERAL (SELECT o.value FROM observed_fact o WHERE o.subject_id = l.subject_id AND o.fact = 'published_package'
  AND o.value ->> 'ecosystem' = p.ecosystem ORDER BY o.observed_at DESC, o.source LIMIT 1) AS v ON true
LEFT JOIN package_reading r ON r.ecosystem = p.ecosystem AND r.name = CASE p.ecosystem
  WHEN 'pypi' THEN ${normalPypiName('p.name')} ELSE p.name END
WHERE l.subject_id = ANY ($1::uuid[]) ORDER BY l.subject_id, p.is_own DESC, p.ecosystem, p.name`;

/**
 * Loads the packages by which listings are judged: the confirmed ones, at most one of each registry per listing, and
 * those with malware that were confirmed before.
 */
export function loadJudgedPackages(
  connection: Connection,
  listingIds: readonly string[],
  source: string,
): Promise<JudgedPackage[]> {
  return connection.query<JudgedPackage>(JUDGED, [listingIds, source]);
}

/**
 * Returns at most `most` listings with ids above `after`, ordered by id, that have a confirmed package or a stored
 * standing.
 */
export async function nextWithJudgedPackage(
  connection: Connection,
  after: string,
  most: number,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT subject_id AS id FROM listing l WHERE subject_id > $1 AND (npm_confirmed OR pypi_confirmed
       OR EXISTS (SELECT FROM observed_fact o WHERE o.subject_id = l.subject_id AND o.fact = 'package_standing'))
     ORDER BY subject_id LIMIT $2`,
    [after, most],
  );
  return rows.map(({ id }) => id);
}

// The two registries are separate branches, so that each uses the index of its column.
const WITH_PACKAGES = `
WITH asked AS MATERIALIZED (SELECT ecosystem, name FROM (${batchRows('ecosystem text, name text')}) AS c)
SELECT l.subject_id AS id FROM asked c JOIN listing l ON l.npm_package = c.name WHERE c.ecosystem = 'npm' AND l.npm_confirmed
UNION SELECT l.subject_id FROM asked c JOIN listing l ON ${normalPypiName('l.pypi_package')} = c.name
  WHERE c.ecosystem = 'pypi' AND l.pypi_confirmed
UNION SELECT o.subject_id FROM observed_fact o CROSS JOIN LATERAL jsonb_array_elements(${everyStanding('o.value')}) AS k
  JOIN asked c ON c.ecosystem = k.value ->> 'ecosystem' AND c.name = k.value ->> 'name'
  WHERE o.fact = 'package_standing' AND o.source = $2
ORDER BY 1`;

/** Returns the listings that are judged by one of these packages. */
export async function listingsWithPackages(
  connection: Connection,
  packages: readonly PackageName[],
): Promise<string[]> {
  const asked = packages.map(({ ecosystem, name }) => ({ ecosystem, name }));
  const rows = await connection.query<{ id: string }>(WITH_PACKAGES, [batchJson(asked), STANDING_SOURCE]);
  return rows.map(({ id }) => id);
}

/**
 * Returns listings whose package has been without malware for more than `days` days (since `soundSince`), but whose
 * score was computed before these days had passed. Leaves out listings that are already queued. Compares the times as
 * ISO 8601 texts, because the index `observed_fact_sound_since` contains texts.
 */
export async function listingsPastDays(
  connection: Connection,
  days: number,
  most: number,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `SELECT o.subject_id AS id FROM observed_fact o JOIN subject s ON s.id = o.subject_id
     WHERE o.fact = 'package_standing' AND o.value ->> 'soundSince' IS NOT NULL
       AND o.value ->> 'soundSince' < to_char((ledger_now() - make_interval(days => $1::int)) AT TIME ZONE 'UTC',
         'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
       AND s.current_version <= (o.value ->> 'soundSince')::timestamptz + make_interval(days => $1::int)
       AND NOT EXISTS (SELECT FROM score_due d WHERE d.subject_id = o.subject_id)
     ORDER BY o.subject_id LIMIT $2`,
    [days, most],
  );
  return rows.map(({ id }) => id);
}

/**
 * Returns listings whose standing must be judged again although none of their facts was stored again. Either the last
 * reading of their advisories is too old, or the registry now shows another version of a package with malware that no
 * longer belongs to the listing.
 */
export async function listingsToJudgeAgain(
  connection: Connection,
  maxAgeDays: number,
  most: number,
): Promise<string[]> {
  const rows = await connection.query<{ id: string }>(
    `WITH current AS (SELECT DISTINCT ecosystem FROM advisory_reading
       WHERE read_at >= ledger_now() - make_interval(hours => 24 * $1::int))
     SELECT DISTINCT o.subject_id AS id FROM observed_fact o JOIN listing l USING (subject_id)
     CROSS JOIN LATERAL jsonb_array_elements(${everyStanding('o.value')}) AS k
     LEFT JOIN package_reading r ON r.ecosystem = k.value ->> 'ecosystem' AND r.name = k.value ->> 'name'
     WHERE o.fact = 'package_standing' AND o.source = $3
       AND ((NOT k.value ? 'isOutdated' AND k.value ->> 'ecosystem' NOT IN (SELECT ecosystem FROM current))
         OR (r.version IS DISTINCT FROM k.value ->> 'version' AND r.name IS NOT NULL AND ${HAS_MALWARE}
           AND k.value ->> 'name' IS DISTINCT FROM CASE k.value ->> 'ecosystem'
             WHEN 'npm' THEN l.npm_package ELSE ${normalPypiName('l.pypi_package')} END))
     ORDER BY 1 LIMIT $2`,
    [maxAgeDays, most, STANDING_SOURCE],
  );
  return rows.map(({ id }) => id);
}
