import { ECOSYSTEMS } from '../../catalog/advisories/ecosystems.ts';
import { registryHost } from '../../hosts/lookup/host-package.ts';
import type { Connection } from '../../platform/database/connect.ts';

/** Duration of the lease of a claimed item. It is far longer than the requests and the storage of the answer take. */
const LEASE = "interval '5 minutes'";

/** An item that is scheduled for reading. */
export interface ScheduledItem {
  /** Listing's id, domain, package name or another key of the source. */
  readonly item: string;
  /** Host to which the requests for the item go. */
  readonly host: string;
  /** Listing whose removal also removes the item; null if there is none. */
  readonly listingId: string | null;
}

/** An item claimed by this process, with the state that its last reading stored. */
export interface ClaimedItem extends ScheduledItem {
  readonly source: string;
  readonly lease: string;
  readonly failures: number;
  /** Data of the last reading for the next one, such as HTTP validators or a cursor; empty before the first reading. */
  readonly state: Readonly<Record<string, unknown>>;
}

export type ReadingOutcome = 'read' | 'unchanged' | 'gone' | 'failed';

export interface CompletedReading {
  readonly outcome: ReadingOutcome;
  readonly nextCheckSeconds: number;
  readonly failures: number;
  /** Number of requests that were sent. */
  readonly requests: number;
  /** State to store; if undefined, the stored one remains. */
  readonly state?: Readonly<Record<string, unknown>> | undefined;
}

// Raw SQL in this file: claims skip locked rows, and times come from the database clock. Insertions are in the order of
// items, because every server schedules the same ones, and an insertion waits for another one of the same item: a
// common order prevents deadlocks.
const SCHEDULE = `
INSERT INTO source_reading (source, item, host, listing_id)
SELECT $1, item, host, listing_id FROM jsonb_to_recordset($2::jsonb) AS r(item text, host text, listing_id uuid)
ORDER BY item ON CONFLICT (source, item) DO NOTHING`;

/** Schedules a first reading of each item that is not scheduled yet. */
export async function scheduleItems(
  connection: Connection,
  source: string,
  items: readonly ScheduledItem[],
): Promise<void> {
  if (items.length === 0) return;
  const rows = items.map(({ item, host, listingId }) => ({ item, host, listing_id: listingId }));
  await connection.query(SCHEDULE, [source, JSON.stringify(rows)]);
}

/** Removes the scheduled items of a source that are not among these items and are not being read. */
export async function unscheduleOthers(
  connection: Connection,
  source: string,
  items: readonly string[],
): Promise<void> {
  await connection.query(
    `DELETE FROM source_reading WHERE source = $1 AND item <> ALL ($2::text[]) AND leased_until IS NULL`,
    [source, items],
  );
}

const ENROLMENT_BATCH = 5_000;

const SCHEDULE_KNOWN = `
WITH due AS MATERIALIZED (
  SELECT l.subject_id, l.host, w.popularity FROM listing l JOIN listing_words w ON w.subject_id = l.subject_id
  LEFT JOIN source_reading r ON r.source = $1 AND r.listing_id = l.subject_id
  WHERE r.listing_id IS NULL AND l.subject_id > $4 AND l.host = ANY ($2::text[]) AND l.host_repository_id IS NOT NULL
    AND l.identity_doubt IS NULL ORDER BY l.subject_id LIMIT ${ENROLMENT_BATCH} FOR KEY SHARE OF l SKIP LOCKED),
scheduled AS (
  INSERT INTO source_reading (source, item, host, listing_id, next_check_at)
  SELECT $1, subject_id::text, coalesce($3, host), subject_id, ledger_now() - make_interval(secs => popularity::float8)
  FROM due ON CONFLICT DO NOTHING)
SELECT subject_id AS id FROM due ORDER BY 1 DESC LIMIT 1`;

/**
 * Schedules a first reading of all listings of these hosts whose repository has been identified, 5,000 per statement;
 * each statement continues after the last listing of the one before. The first due time lies further in the past for
 * more popular listings, so that these are read first. `calledHost` is the host that is called for all of them; null
 * for the host of each repository. Skips listings whose row is locked, for example because they are being delisted.
 */
export async function scheduleKnownListings(
  connection: Connection,
  source: string,
  hosts: readonly string[],
  calledHost: string | null,
): Promise<void> {
  let after: string | undefined = '00000000-0000-0000-0000-000000000000';
  while (after !== undefined) {
    const [last]: { id: string }[] = await connection.query<{ id: string }>(SCHEDULE_KNOWN, [
      source,
      hosts,
      calledHost,
      after,
    ]);
    after = last?.id;
  }
}

const CLAIM = `
UPDATE source_reading SET lease_id = $1, leased_until = ledger_now() + ${LEASE}
WHERE source = $2 AND item = (SELECT r.item FROM source_reading r
  WHERE r.source = $2 AND r.next_check_at <= (SELECT ledger_now()) AND r.host = ANY ($3::text[])
    AND (r.leased_until IS NULL OR r.leased_until <= (SELECT ledger_now()))
  ORDER BY r.next_check_at, r.item LIMIT 1 FOR UPDATE SKIP LOCKED)
RETURNING source, item, host, listing_id AS "listingId", lease_id AS lease, failures, state`;

/** Claims the longest waiting item of these hosts for this process; null if none is due. */
export async function claimItem(
  connection: Connection,
  source: string,
  lease: string,
  hosts: readonly string[],
): Promise<ClaimedItem | null> {
  const [claimed] = await connection.query<ClaimedItem>(CLAIM, [lease, source, hosts]);
  return claimed ?? null;
}

/** Releases a claim without any other change. */
export async function releaseItem(
  connection: Connection,
  { source, item, lease }: ClaimedItem,
): Promise<void> {
  await connection.query(
    `UPDATE source_reading SET lease_id = NULL, leased_until = NULL WHERE source = $1 AND item = $2 AND lease_id = $3`,
    [source, item, lease],
  );
}

/** Locks the claim for the rest of the transaction; returns false if it expired and may belong to another process. */
export async function lockItem(
  connection: Connection,
  { source, item, lease }: ClaimedItem,
): Promise<boolean> {
  const rows = await connection.query(
    'SELECT FROM source_reading WHERE source = $1 AND item = $2 AND lease_id = $3 FOR UPDATE',
    [source, item, lease],
  );
  return rows.length > 0;
}

/**
 * SQL for the number of requests in the last hour that a row of `source_reading` counts. Readings that follow one
 * another immediately, such as those of consecutive pages, overwrite each other in their row. Their requests are
 * therefore summed up, and the sum decreases to zero within an hour.
 */
const RECENT_REQUESTS = `CASE WHEN checked_at <= ledger_now() - interval '1 hour' THEN 0
    WHEN next_check_at < checked_at + interval '1 second'
      THEN requests * (1 - extract(epoch FROM ledger_now() - checked_at) / 3600)
    ELSE requests END`;

// Adds up to a tenth of the interval at random, so that items that were read together become due at different times.
const COMPLETE = `
UPDATE source_reading SET lease_id = NULL, leased_until = NULL, checked_at = ledger_now(), outcome = $3,
  next_check_at = ledger_now() + make_interval(secs => $4::float8 * (1 + random() / 10)), failures = $5,
  requests = $6 + CASE WHEN next_check_at < checked_at + interval '1 second' THEN ceil(${RECENT_REQUESTS})::int ELSE 0 END,
  state = coalesce($7::jsonb, state)
WHERE source = $1 AND item = $2`;

/** Ends a claim with its outcome. The caller has locked the claim and stored the facts. */
export async function completeItem(
  connection: Connection,
  { source, item }: ClaimedItem,
  { outcome, nextCheckSeconds, failures, requests, state }: CompletedReading,
): Promise<void> {
  const stored = state === undefined ? null : JSON.stringify(state);
  await connection.query(COMPLETE, [source, item, outcome, nextCheckSeconds, failures, requests, stored]);
}

/** Counts the items of a source on these hosts that are due now. */
export async function countDueItems(
  connection: Connection,
  source: string,
  hosts: readonly string[],
): Promise<number> {
  const [row] = await connection.query<{ due: number }>(
    `SELECT count(*) AS due FROM source_reading
     WHERE source = $1 AND next_check_at <= (SELECT ledger_now()) AND host = ANY ($2::text[])`,
    [source, hosts],
  );
  return row?.due ?? 0;
}

/** Counts the requests that all processes have sent in the last hour for readings that ended. */
export async function countRecentRequests(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ requests: number }>(
    `SELECT ((SELECT count(*) FROM repository_refresh WHERE checked_at > (SELECT ledger_now()) - interval '1 hour')
       + (SELECT coalesce(ceil(sum(${RECENT_REQUESTS})), 0) FROM source_reading
          WHERE checked_at > (SELECT ledger_now()) - interval '1 hour'))::int AS requests`,
  );
  return row?.requests ?? 0;
}

/** Builds SQL for a package's name in the form in which its registry compares names. */
const normalName = (ecosystem: string, name: string) => `CASE ${ecosystem}
    WHEN 'pypi' THEN lower(regexp_replace(btrim(${name}), '[-_.]+', '-', 'g')) ELSE btrim(${name}) END`;

/**
 * SQL that is true if a package in an MCP registry entry names no package registry, or the public one of npm or PyPI.
 */
const IS_USUAL = `coalesce(rtrim(p.value ->> 'registryBaseUrl', '/'), 'https://pypi.org')
    IN ('https://registry.npmjs.org', 'https://pypi.org')`;

const PACKAGE_HOST = `CASE n.ecosystem ${ECOSYSTEMS.map((each) => `WHEN '${each}' THEN '${registryHost(each)}'`).join(' ')} END`;

// Names of packages come from lists, from entries of the MCP registry about listed repositories, and from manifests.
// The first due time lies further in the past for packages of more popular listings, so that these are read first.
const SCHEDULE_PACKAGES = `
WITH named (ecosystem, name, stars) AS (
  SELECT 'npm', l.npm_package, l.stars FROM listing l WHERE l.npm_package IS NOT NULL
  UNION ALL SELECT 'pypi', l.pypi_package, l.stars FROM listing l WHERE l.pypi_package IS NOT NULL
  UNION ALL SELECT 'npm', a.npm_package, 0 FROM artifact a WHERE a.npm_package IS NOT NULL
  UNION ALL SELECT 'pypi', a.pypi_package, 0 FROM artifact a WHERE a.pypi_package IS NOT NULL
  UNION ALL SELECT p.value ->> 'registryType', p.value ->> 'identifier', l.stars
    FROM mcp_registry_entry e JOIN listing l ON lower(l.host) = lower(e.host) AND lower(l.repository) = lower(e.repository),
      jsonb_array_elements(e.packages) AS p
    WHERE e.status <> 'deleted' AND ${IS_USUAL}
  UNION ALL SELECT p.value ->> 'ecosystem', p.value ->> 'name', l.stars
    FROM observed_fact f JOIN listing l USING (subject_id), jsonb_array_elements(f.value -> 'packages') AS p
    WHERE f.fact = 'manifest'),
packages AS (
  SELECT n.ecosystem, ${normalName('n.ecosystem', 'n.name')} AS name, max(n.stars) AS stars FROM named n
  WHERE n.ecosystem = ANY ($2::text[]) AND length(n.name) <= 214 GROUP BY 1, 2)
INSERT INTO source_reading (source, item, host, next_check_at)
SELECT $1, n.ecosystem || ':' || n.name, ${PACKAGE_HOST}, ledger_now() - make_interval(secs => ln(1 + coalesce(n.stars, 0)::float8))
FROM packages n WHERE n.name <> ''
  AND NOT EXISTS (SELECT FROM source_reading r WHERE r.source = $1 AND r.item = n.ecosystem || ':' || n.name)
ORDER BY 2
ON CONFLICT DO NOTHING RETURNING item`;

/**
 * Schedules a first reading of named packages that have none; returns their number. One statement schedules all
 * packages, because it must collect all their names in any case.
 */
export async function schedulePackages(connection: Connection, source: string): Promise<number> {
  const rows = await connection.query(SCHEDULE_PACKAGES, [source, ECOSYSTEMS]);
  return rows.length;
}
