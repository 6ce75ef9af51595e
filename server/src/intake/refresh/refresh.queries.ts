import type { ListingRow, StoredListing } from '../../catalog/listings/listing-row.ts';
import type { KnownRepository } from '../../hosts/readers/repository-details.ts';
import type { Connection } from '../../platform/database/connect.ts';
import { NOW } from '../../platform/database/models/table.ts';
import type { NamedListing } from './identify-repository.ts';

interface Row extends ListingRow {
  id: string;
  creatorId: string;
  creatorKey: string;
}

// Selects a listing without its parent and newer name, which are stored as relations.
const STORED = `
SELECT l.subject_id AS id, l.creator_id AS "creatorId", c.host || ':' || lower(c.handle) AS "creatorKey", l.host,
  l.repository, l.type, l.kind, l.name, l.description, l.category, l.tags, l.repository_url AS "repositoryUrl",
  l.host_repository_id AS "hostRepositoryId", l.homepage, l.license, l.stars, l.forks, l.open_issues AS "openIssues",
  utc_text(l.last_commit_at) AS "lastCommitAt", utc_text(l.repository_created_at) AS "repositoryCreatedAt",
  utc_text(l.metrics_observed_at) AS "metricsObservedAt", l.npm_package AS "npmPackage",
  l.npm_monthly_downloads AS "npmMonthlyDownloads", l.pypi_package AS "pypiPackage", l.source, l.imported
FROM listing l JOIN creator c ON c.subject_id = l.creator_id WHERE l.subject_id = $1`;

/** Loads a stored listing in the two types that an import uses: as a row, and as the stored state of a row. */
export async function loadStoredListing(
  connection: Connection,
  id: string,
): Promise<{ row: ListingRow; stored: StoredListing }> {
  const [found] = await connection.query<Row>(STORED, [id]);
  if (!found) throw new Error(`the claimed listing ${id} is gone`);
  const { id: _, creatorId, creatorKey, ...columns } = found;
  const unstated = {
    formerRepositories: [],
    parentRepository: null,
    parentRelation: null,
    probablyRenamedTo: null,
  };
  const row = { ...columns, ...unstated };
  const { type, host, repository, hostRepositoryId, npmPackage, pypiPackage, imported } = row;
  const stored = { id, creatorId, creatorKey, type, host, repository, hostRepositoryId, imported };
  return { row, stored: { ...stored, npmPackage, pypiPackage, unchanged: true } };
}

/** Returns the other listings on the host that have the id or the name of the repository that the host returned. */
export function loadOthers(
  connection: Connection,
  listing: NamedListing & { host: string },
  reading: { hostRepositoryId: string; repository: string },
): Promise<NamedListing[]> {
  return connection.query<NamedListing>(
    `SELECT subject_id AS id, repository, host_repository_id AS "hostRepositoryId" FROM listing
     WHERE subject_id <> $2 AND ((host = $1 AND host_repository_id = $3)
       OR (lower(host) = lower($1) AND lower(repository) = lower($4)))`,
    [listing.host, listing.id, reading.hostRepositoryId, reading.repository],
  );
}

/** Lease of a claimed listing. It is far longer than the request to the host and the storage of the answer take. */
const LEASE = "interval '2 minutes'";
const ENROLMENT_BATCH = 5_000;

/** A listing claimed by this process, with its stored state. */
export interface ClaimedListing {
  id: string;
  host: string;
  repository: string;
  hostRepositoryId: string | null;
  /**
   * ETag of the last full answer. Null if the stored metrics are not from that answer: a full answer is then needed.
   */
  etag: string | null;
  lastModified: string | null;
  failures: number;
  lease: string;
}

/**
 * Schedules a first check of listings of these hosts that have none, up to 5,000 per call; returns their number. The
 * first due time lies further in the past for more popular listings, so that these are read first. Skips listings whose
 * row is locked, for example because they are being delisted.
 */
export async function scheduleListings(connection: Connection, hosts: readonly string[]): Promise<number> {
  const rows = await connection.query(
    `INSERT INTO repository_refresh (listing_id, next_check_at)
     SELECT l.subject_id, ledger_now() - make_interval(secs => coalesce(w.popularity, 0)::float8) FROM listing l
     LEFT JOIN listing_words w ON w.subject_id = l.subject_id
     LEFT JOIN repository_refresh r ON r.listing_id = l.subject_id
     WHERE r.listing_id IS NULL AND l.host = ANY ($1::text[]) ORDER BY l.subject_id LIMIT ${ENROLMENT_BATCH}
     FOR KEY SHARE OF l SKIP LOCKED
     ON CONFLICT DO NOTHING RETURNING listing_id`,
    [hosts],
  );
  return rows.length;
}

const CLAIM = `
UPDATE repository_refresh SET lease_id = $1, leased_until = ledger_now() + ${LEASE}
WHERE listing_id = (SELECT r.listing_id FROM repository_refresh r JOIN listing l ON l.subject_id = r.listing_id
  WHERE r.next_check_at <= (SELECT ledger_now()) AND l.host = ANY ($2::text[])
    AND (r.leased_until IS NULL OR r.leased_until <= (SELECT ledger_now()))
  ORDER BY r.next_check_at, r.listing_id LIMIT 1 FOR UPDATE OF r SKIP LOCKED)
RETURNING listing_id AS id`;

// True if the stored facts come from the last full answer, so that the host may answer that nothing has changed. An
// owner id or a doubt about the identity must be stored too, because earlier releases did not read owner ids.
const FACTS_ARE_CURRENT = `l.metrics_observed_at = r.confirmed_at AND (l.host_owner_id IS NOT NULL OR l.identity_doubt IS NOT NULL)`;

const CLAIMED = `
SELECT l.subject_id AS id, l.host, l.repository, l.host_repository_id AS "hostRepositoryId", r.failures,
  CASE WHEN ${FACTS_ARE_CURRENT} THEN r.etag END AS etag, CASE WHEN ${FACTS_ARE_CURRENT} THEN r.last_modified END AS "lastModified",
  r.lease_id AS lease
FROM listing l JOIN repository_refresh r ON r.listing_id = l.subject_id WHERE l.subject_id = $1`;

/** Claims the longest waiting listing of these hosts for this process; null if none is due. */
export async function claimDue(
  connection: Connection,
  lease: string,
  hosts: readonly string[],
): Promise<ClaimedListing | null> {
  const [claimed] = await connection.query<{ id: string }>(CLAIM, [lease, hosts]);
  if (claimed === undefined) return null;
  const [listing] = await connection.query<ClaimedListing>(CLAIMED, [claimed.id]);
  return listing ?? null;
}

/** Releases a claim without any other change. */
export async function releaseClaim(
  { models, transaction }: Connection,
  { id, lease }: ClaimedListing,
): Promise<void> {
  const where = { listingId: id, leaseId: lease };
  await models.RepositoryRefresh.update({ leaseId: null, leasedUntil: null }, { where, transaction });
}

/** Locks the claim for the rest of the transaction; returns false if it expired and may belong to another process. */
export async function lockClaim(connection: Connection, { id, lease }: ClaimedListing): Promise<boolean> {
  const rows = await connection.query(
    'SELECT FROM repository_refresh WHERE listing_id = $1 AND lease_id = $2 FOR UPDATE',
    [id, lease],
  );
  return rows.length > 0;
}

export type RefreshOutcome = 'read' | 'unchanged' | 'renamed' | 'replaced' | 'duplicate' | 'gone' | 'failed';

export interface CompletedCheck {
  outcome: RefreshOutcome;
  nextCheckSeconds: number;
  failures: number;
  /** HTTP validators to store; if undefined, the stored ones remain. */
  validators?: { etag: string | null; lastModified: string | null };
  /** True if this check read the stored metrics, or found that they have not changed. */
  confirms: boolean;
}

// Adds up to a tenth of the interval at random, so that listings that were read together do not stay due together.
const SETTLE = `
UPDATE repository_refresh r SET lease_id = NULL, leased_until = NULL, checked_at = ledger_now(), outcome = $2,
  next_check_at = ledger_now() + make_interval(secs => $3::float8 * (1 + random() / 10)), failures = $4,
  etag = CASE WHEN $5::boolean THEN $6 ELSE r.etag END,
  last_modified = CASE WHEN $5::boolean THEN $7 ELSE r.last_modified END,
  confirmed_at = CASE WHEN $8::boolean THEN l.metrics_observed_at ELSE r.confirmed_at END
FROM listing l WHERE l.subject_id = r.listing_id AND r.listing_id = $1`;

/** Ends a claim with its outcome. The caller has already changed the listing. */
export async function completeCheck(
  connection: Connection,
  id: string,
  check: CompletedCheck,
): Promise<void> {
  const { outcome, nextCheckSeconds, failures, validators, confirms } = check;
  const { etag = null, lastModified = null } = validators ?? {};
  await connection.query(SETTLE, [
    id,
    outcome,
    nextCheckSeconds,
    failures,
    validators !== undefined,
    etag,
    lastModified,
    confirms,
  ]);
}

/** Makes a listing due now, and removes the HTTP validators, so that the host answers in full. */
export async function requestFullReading(
  { models, transaction }: Connection,
  listingId: string,
): Promise<void> {
  await models.RepositoryRefresh.update(
    { nextCheckAt: NOW, etag: null, lastModified: null },
    { where: { listingId }, transaction },
  );
}

/** Last check of a listing, and the time of the next. Times are ISO 8601 UTC. */
export interface StoredCheck {
  /** Null before the first check. */
  outcome: RefreshOutcome | null;
  checkedAt: string | null;
  /** True if any check has read the repository. */
  wasRead: boolean;
  nextCheckAt: string;
  /** True if the next check is due but has not run yet. */
  isDue: boolean;
}

/** Returns the last check of a listing's repository; null if it is not scheduled. */
export async function findStoredCheck(
  connection: Connection,
  listingId: string,
): Promise<StoredCheck | null> {
  const [look] = await connection.query<StoredCheck>(
    `SELECT outcome, utc_text(checked_at) AS "checkedAt", confirmed_at IS NOT NULL AS "wasRead",
       utc_text(next_check_at) AS "nextCheckAt", next_check_at <= ledger_now() AS "isDue"
     FROM repository_refresh WHERE listing_id = $1`,
    [listingId],
  );
  return look ?? null;
}

/** Counts the listings of these hosts that are due now, including those never read. */
export async function countDueChecks(connection: Connection, hosts: readonly string[]): Promise<number> {
  const [row] = await connection.query<{ due: number }>(
    `SELECT count(*) AS due FROM repository_refresh r JOIN listing l ON l.subject_id = r.listing_id
     WHERE r.next_check_at <= (SELECT ledger_now()) AND l.host = ANY ($1::text[])`,
    [hosts],
  );
  return row?.due ?? 0;
}

// Raw SQL: reads only the end of an index, because reading all listings would be too slow for a page.
const FIGURE_TIMES = `
SELECT utc_text(min(at)) AS oldest, utc_text(max(at)) AS newest FROM (SELECT l.metrics_observed_at AS at
  FROM (SELECT subject_id FROM listing_order ORDER BY stars DESC NULLS LAST, agent_id LIMIT 100) o
  JOIN listing l ON l.subject_id = o.subject_id) seen`;

/**
 * Returns the earliest and the latest time at which the figures of the 100 listings with most stars were read; an empty
 * list if none was read.
 */
export async function findFigureTimes(connection: Connection): Promise<string[]> {
  const [times] = await connection.query<{ oldest: string | null; newest: string | null }>(FIGURE_TIMES);
  return [times?.oldest, times?.newest].flatMap((time) => time ?? []);
}

// Raw SQL: joins the entries of the MCP registry.
const KNOWN = `
SELECT l.host, l.repository, l.host_repository_id AS "hostRepositoryId", l.host_owner_id AS "hostOwnerId",
  ARRAY(SELECT DISTINCT e.subfolder FROM mcp_registry_entry e WHERE lower(e.host) = lower(l.host)
    AND lower(e.repository) = lower(l.repository) AND e.status <> 'deleted' AND e.subfolder IS NOT NULL
    ORDER BY e.subfolder) AS folders,
  l.kind, l.description, l.imported ->> 'description' AS "statedDescription", l.registered_by IS NOT NULL AS "isRegistered",
  (SELECT count(*)::int FROM artifact a WHERE a.listing_id = l.subject_id) AS parts
FROM listing l WHERE l.subject_id = $1 AND l.host_repository_id IS NOT NULL AND l.identity_doubt IS NULL`;

/** A listing's repository, with the data that determine whether it is a container and how it is described. */
export interface KnownListing extends KnownRepository {
  folders: string[];
  kind: string;
  description: string;
  /** Description in the imported row; null without one. */
  statedDescription: string | null;
  isRegistered: boolean;
  parts: number;
}

/**
 * Returns a listing's repository, with the folders that contain servers according to the MCP registry. Returns null if
 * the identity of the repository is uncertain.
 */
export async function findKnownRepository(
  connection: Connection,
  listingId: string,
): Promise<KnownListing | null> {
  const [known] = await connection.query<KnownListing>(KNOWN, [listingId]);
  return known ?? null;
}

/**
 * Replaces the description of a listing that no account has registered, unless it has changed since it was read.
 * Returns whether it was replaced.
 */
export async function replaceDescription(
  connection: Connection,
  listingId: string,
  from: string,
  to: string,
): Promise<boolean> {
  const rows = await connection.query(
    `UPDATE listing SET description = $3, updated_at = ledger_now()
     WHERE subject_id = $1 AND description = $2 AND registered_by IS NULL RETURNING subject_id`,
    [listingId, from, to],
  );
  return rows.length > 0;
}

/** Returns the repository of a listing in the form `owner/name`; null if the listing is gone. */
export async function findRepositoryName(
  { models, transaction }: Connection,
  listingId: string,
): Promise<string | null> {
  const listing = await models.Listing.findByPk(listingId, { attributes: ['repository'], transaction });
  return listing?.repository ?? null;
}

/** Returns the hosts that have listings. */
export async function listedHosts(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ host: string }>('SELECT DISTINCT host FROM listing ORDER BY host');
  return rows.map(({ host }) => host);
}
