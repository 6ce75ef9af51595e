import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { AdvisoryFields } from './advisory-row.ts';
import type { VersionInterval } from './affected-versions.ts';
import type { Ecosystem, PackageName } from './ecosystems.ts';

/** An advisory that affects a package of a batch; `n` is the index of the package. */
export interface FoundAdvisory extends AdvisoryFields {
  readonly n: number;
  /** ISO 8601 with microseconds. */
  readonly modifiedAt: string;
  /** ISO 8601 with microseconds; null if the record states no time. */
  readonly publishedAt: string | null;
  readonly versions: readonly string[];
  readonly intervals: readonly VersionInterval[];
  /** Versions that the record marks as disputed. */
  readonly disputedVersions: readonly string[];
  /** Disputes stated by others than the source of the record. */
  readonly disputes: readonly StatedDispute[];
}

/** Statement, by another source than that of the record, that versions are not affected. */
export interface StatedDispute {
  readonly versions: readonly string[];
  readonly reason: string;
  readonly url: string;
}

// One statement for any number of packages, so that a list of dependencies is one round trip.
const FIND = `SELECT c.n, a.id, a.source, a.url, a.aliases, a.summary, a.severity, a.cvss, a.category, a.disputed,
    utc_text(a.modified_at) AS "modifiedAt", utc_text(a.published_at) AS "publishedAt", p.versions, p.intervals,
    p.disputed_versions AS "disputedVersions",
    (SELECT coalesce(json_agg(json_build_object('versions', d.versions, 'reason', d.reason, 'url', d.url) ORDER BY d.url), '[]')
     FROM advisory_dispute d WHERE d.advisory_id = a.id AND d.ecosystem = p.ecosystem AND d.package = p.package
       AND d.withdrawn_at IS NULL) AS disputes
  FROM (${batchRows('ecosystem text, name text')}) AS c
  JOIN advisory_package p ON p.ecosystem = c.ecosystem AND p.package = c.name COLLATE "C"
  JOIN advisory a ON a.id = p.advisory_id
  WHERE a.withdrawn_at IS NULL
  ORDER BY c.n, a.id, p.place`;

/** Finds the advisories of packages, of any version, that are not withdrawn. */
export function findAdvisories(
  connection: Connection,
  packages: readonly PackageName[],
): Promise<FoundAdvisory[]> {
  const asked = packages.map(({ ecosystem, name }) => ({ ecosystem, name }));
  return connection.query<FoundAdvisory>(FIND, [batchJson(asked)]);
}

/** Last reading of a whole advisory database of an ecosystem. */
export interface EcosystemReading {
  readonly ecosystem: Ecosystem;
  /** ISO 8601 with microseconds. */
  readonly readAt: string;
  /** True if the reading is not older than the maximum age. */
  readonly isCurrent: boolean;
}

/** Finds the latest reading of each ecosystem. The clock is the database's. */
export function findReadings(connection: Connection, maxAgeDays: number): Promise<EcosystemReading[]> {
  return connection.query<EcosystemReading>(
    `SELECT ecosystem, utc_text(max(read_at)) AS "readAt", max(read_at) >= ledger_now() - make_interval(hours => 24 * $1::int) AS "isCurrent"
     FROM advisory_reading GROUP BY ecosystem`,
    [maxAgeDays],
  );
}
