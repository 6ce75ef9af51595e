import { batchJson, batchRows } from '../../platform/batching/batch-source.ts';
import type { Connection } from '../../platform/database/connect.ts';
import type { VersionInterval } from './affected-versions.ts';
import type { Ecosystem, PackageName } from './ecosystems.ts';
import type { AdvisoryDispute, AdvisoryFields, AdvisoryReading, AdvisoryRow } from './save-advisories.ts';

/** An advisory that names a package of a batch; `n` is the index of the package. */
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

/** Statement that versions are not affected, by a source that did not publish the record. */
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

/** Finds the advisories of packages, whichever versions they affect. Leaves out withdrawn advisories. */
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
  /** True if the reading is not older than `maxAgeDays`. */
  readonly isCurrent: boolean;
}

/** Finds the latest reading of the advisories of each ecosystem. Ages are measured by the database's clock. */
export function findReadings(connection: Connection, maxAgeDays: number): Promise<EcosystemReading[]> {
  return connection.query<EcosystemReading>(
    `SELECT ecosystem, utc_text(max(read_at)) AS "readAt", max(read_at) >= ledger_now() - make_interval(hours => 24 * $1::int) AS "isCurrent"
     FROM advisory_reading GROUP BY ecosystem`,
    [maxAgeDays],
  );
}

/**
 * Locks the table `advisory` against other writers until the transaction ends. Otherwise, two concurrent imports would
 * both compare their records with the state from before either import. Readers are not blocked.
 */
export async function lockAdvisories(connection: Connection): Promise<void> {
  await connection.query('LOCK TABLE advisory IN SHARE ROW EXCLUSIVE MODE');
}

/** Fields of a stored advisory that decide whether a record replaces it. */
export interface StoredAdvisory {
  readonly id: string;
  readonly modifiedMs: number;
  readonly contentHash: string;
}

/** Finds the stored advisories with these ids. */
export async function findStoredAdvisories(
  connection: Connection,
  ids: readonly string[],
): Promise<StoredAdvisory[]> {
  const rows = await connection.query<{ id: string; modifiedAt: Date; contentHash: string }>(
    `SELECT id, modified_at AS "modifiedAt", content_hash AS "contentHash" FROM advisory
     WHERE id = ANY ($1::text[] COLLATE "C")`,
    [ids],
  );
  return rows.map(({ modifiedAt, ...row }) => ({ ...row, modifiedMs: modifiedAt.getTime() }));
}

const COLUMNS = `id text, source text, url text, aliases text[], "publishedAt" timestamptz, "modifiedAt" timestamptz,
  "withdrawnAt" timestamptz, disputed boolean, summary text, details text, severity text, cvss text, category text,
  problem text, "contentHash" text`;

// The next four SQL statements write a batch of advisories. The copy to `advisory_history` comes first, because the
// other statements replace the records that it copies.
const KEEP_REPLACED = `INSERT INTO advisory_history (advisory_id, state)
  SELECT a.id, to_jsonb(a) || jsonb_build_object('packages', (SELECT coalesce(jsonb_agg(to_jsonb(p) - 'advisory_id' ORDER BY p.place), '[]')
    FROM advisory_package p WHERE p.advisory_id = a.id))
  FROM advisory a WHERE a.id = ANY ($1::text[] COLLATE "C")`;

const FORGET_PACKAGES = 'DELETE FROM advisory_package WHERE advisory_id = ANY ($1::text[] COLLATE "C")';

const WRITE_ADVISORIES = `INSERT INTO advisory (id, source, url, aliases, published_at, modified_at, withdrawn_at, disputed, summary,
    details, severity, cvss, category, problem, content_hash)
  SELECT c.id, c.source, c.url, c.aliases, c."publishedAt", c."modifiedAt", c."withdrawnAt", c.disputed, c.summary,
    c.details, c.severity, c.cvss, c.category, c.problem, c."contentHash"
  FROM (${batchRows(COLUMNS)}) AS c
  ON CONFLICT (id) DO UPDATE SET source = excluded.source, url = excluded.url, aliases = excluded.aliases,
    published_at = excluded.published_at, modified_at = excluded.modified_at, withdrawn_at = excluded.withdrawn_at,
    disputed = excluded.disputed, summary = excluded.summary, details = excluded.details, severity = excluded.severity,
    cvss = excluded.cvss, category = excluded.category, problem = excluded.problem,
    content_hash = excluded.content_hash, read_at = excluded.read_at`;

const WRITE_PACKAGES = `INSERT INTO advisory_package (advisory_id, place, ecosystem, package, versions, intervals,
    disputed_versions)
  SELECT c."advisoryId", c.place, c.ecosystem, c.name, c.versions, c.intervals, c."disputedVersions"
  FROM (${batchRows('"advisoryId" text, place int, ecosystem text, name text, versions text[], intervals jsonb, "disputedVersions" text[]')}) AS c`;

/** Maximum rows per statement; the limit of `batchRows`. */
const MAX_ROWS = 10_000;

/**
 * Writes advisories with their packages. `known` has the ids that are already stored. Before these advisories are
 * replaced, their stored state is copied to `advisory_history`.
 */
export async function writeAdvisories(
  connection: Connection,
  rows: readonly AdvisoryRow[],
  known: ReadonlySet<string>,
): Promise<void> {
  if (rows.length === 0) return;
  const replaced = rows.map(({ id }) => id).filter((id) => known.has(id));
  if (replaced.length > 0) {
    await connection.query(KEEP_REPLACED, [replaced]);
    await connection.query(FORGET_PACKAGES, [replaced]);
  }
  await connection.query(WRITE_ADVISORIES, [
    batchJson(rows.map(({ packages: _packages, ...advisory }) => advisory)),
  ]);
  const packages = rows.flatMap(({ id, packages: affected }) =>
    affected.map((each, place) => ({ advisoryId: id, place, ...each })),
  );
  for (let first = 0; first < packages.length; first += MAX_ROWS)
    await connection.query(WRITE_PACKAGES, [batchJson(packages.slice(first, first + MAX_ROWS))]);
}

/**
 * Inserts or updates readings, in the order of their keys, so that imports cannot deadlock. A reading never replaces a
 * later one, and a time in the future counts as the database's present time.
 */
export async function upsertReadings(
  connection: Connection,
  readings: readonly AdvisoryReading[],
): Promise<void> {
  await connection.query(
    `INSERT INTO advisory_reading AS a (source, ecosystem, records, read_at)
     SELECT c.source, c.ecosystem, c.records, least(coalesce(c."readAt", ledger_now()), ledger_now())
     FROM (${batchRows('source text, ecosystem text, records int, "readAt" timestamptz')}) AS c
     ORDER BY c.source, c.ecosystem
     ON CONFLICT (source, ecosystem) DO UPDATE SET read_at = excluded.read_at, records = excluded.records
     WHERE a.read_at <= excluded.read_at`,
    [batchJson(readings)],
  );
}

/** Counts stored records with these ids by their source and ecosystem. */
export function countBySource(connection: Connection, ids: readonly string[]): Promise<AdvisoryReading[]> {
  return connection.query<AdvisoryReading>(
    `SELECT a.source, p.ecosystem, count(DISTINCT a.id)::int AS records
     FROM advisory a JOIN advisory_package p ON p.advisory_id = a.id
     WHERE a.id = ANY ($1::text[] COLLATE "C") GROUP BY a.source, p.ecosystem`,
    [ids],
  );
}

/** Counts the stored records that name packages of an ecosystem. */
export async function countRecords(connection: Connection, ecosystem: Ecosystem): Promise<number> {
  const [row] = await connection.query<{ records: number }>(
    'SELECT count(DISTINCT advisory_id)::int AS records FROM advisory_package WHERE ecosystem = $1',
    [ecosystem],
  );
  return row?.records ?? 0;
}

/** Finds the packages that stored records with these ids name. */
export function findNamedPackages(connection: Connection, ids: readonly string[]): Promise<PackageName[]> {
  return connection.query<PackageName>(
    `SELECT DISTINCT ecosystem, package AS name FROM advisory_package
     WHERE advisory_id = ANY ($1::text[] COLLATE "C")`,
    [ids],
  );
}

const DISPUTE_COLUMNS = `"advisoryId" text, ecosystem text, name text, url text, versions text[], reason text,
  "statedAt" timestamptz, "withdrawnAt" timestamptz`;

/**
 * Inserts new disputes and updates changed ones unless the stored one is later, in the order of their keys, so that
 * imports cannot deadlock. Returns the number of disputes written.
 */
export async function upsertDisputes(
  connection: Connection,
  disputes: readonly AdvisoryDispute[],
): Promise<number> {
  const written = await connection.query<{ id: string }>(
    `INSERT INTO advisory_dispute AS d (advisory_id, ecosystem, package, url, versions, reason, stated_at, withdrawn_at)
     SELECT c."advisoryId", c.ecosystem, c.name, c.url, c.versions, c.reason, c."statedAt", c."withdrawnAt"
     FROM (${batchRows(DISPUTE_COLUMNS)}) AS c
     ORDER BY c."advisoryId", c.ecosystem, c.name, c.url
     ON CONFLICT (advisory_id, ecosystem, package, url) DO UPDATE SET versions = excluded.versions, reason = excluded.reason,
       stated_at = excluded.stated_at, withdrawn_at = excluded.withdrawn_at, read_at = excluded.read_at
     WHERE (d.versions, d.reason, d.stated_at, d.withdrawn_at)
       IS DISTINCT FROM (excluded.versions, excluded.reason, excluded.stated_at, excluded.withdrawn_at)
       AND greatest(d.stated_at, d.withdrawn_at) <= greatest(excluded.stated_at, excluded.withdrawn_at)
     RETURNING advisory_id AS id`,
    [batchJson(disputes)],
  );
  return written.length;
}
