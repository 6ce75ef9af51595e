import type { Connection } from '../database/connect.ts';

/** How long a claimed listing is left to its claimer: far longer than a call and its storing take. */
const LEASE = "interval '2 minutes'";
const ENROLMENT = 5_000;

/** A listing that is this process's to read, and what is known of it. */
export interface ClaimedListing {
  id: string;
  host: string;
  repository: string;
  hostRepositoryId: string | null;
  /** Null where the metrics are no longer those of the marked answer: then a full one is needed. */
  etag: string | null;
  lastModified: string | null;
  failures: number;
  lease: string;
}

/** Puts listings of these hosts that were never read on the list, some thousands at a time; answers how many. */
export async function enrolListings(connection: Connection, hosts: readonly string[]): Promise<number> {
  const rows = await connection.query(
    `INSERT INTO repository_refresh (listing_id) SELECT l.subject_id FROM listing l
     LEFT JOIN repository_refresh r ON r.listing_id = l.subject_id
     WHERE r.listing_id IS NULL AND l.host = ANY ($1::text[]) ORDER BY l.subject_id LIMIT ${ENROLMENT}
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

// What was read is whole only with its owner's id, which former releases did not read.
const IS_MARKED = `l.metrics_observed_at = r.confirmed_at AND (l.host_owner_id IS NOT NULL OR l.identity_doubt IS NOT NULL)`;

const CLAIMED = `
SELECT l.subject_id AS id, l.host, l.repository, l.host_repository_id AS "hostRepositoryId", r.failures,
  CASE WHEN ${IS_MARKED} THEN r.etag END AS etag, CASE WHEN ${IS_MARKED} THEN r.last_modified END AS "lastModified",
  r.lease_id AS lease
FROM listing l JOIN repository_refresh r ON r.listing_id = l.subject_id WHERE l.subject_id = $1`;

/** Claims the listing that has waited longest among these hosts, for one process alone; null when none is due. */
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

/** Gives a claim back as it was found: nothing was learned. */
export async function releaseClaim(
  { models, transaction }: Connection,
  { id, lease }: ClaimedListing,
): Promise<void> {
  const where = { listingId: id, leaseId: lease };
  await models.RepositoryRefresh.update({ leaseId: null, leasedUntil: null }, { where, transaction });
}

/** Locks the claim for the rest of the transaction; false where it ran out and may be another process's. */
export async function holdsClaim(connection: Connection, { id, lease }: ClaimedListing): Promise<boolean> {
  const rows = await connection.query(
    'SELECT FROM repository_refresh WHERE listing_id = $1 AND lease_id = $2 FOR UPDATE',
    [id, lease],
  );
  return rows.length > 0;
}

/** What a check came to. */
export type RefreshOutcome = 'read' | 'unchanged' | 'renamed' | 'replaced' | 'duplicate' | 'gone' | 'failed';

export interface SettledCheck {
  outcome: RefreshOutcome;
  nextCheckSeconds: number;
  failures: number;
  /** Kept as they are where undefined. */
  validators?: { etag: string | null; lastModified: string | null };
  /** True where the metrics that stand now are the host's own of this check. */
  confirms: boolean;
}

// Spread over a tenth, so that what was read together is not due together for ever.
const SETTLE = `
UPDATE repository_refresh r SET lease_id = NULL, leased_until = NULL, checked_at = ledger_now(), outcome = $2,
  next_check_at = ledger_now() + make_interval(secs => $3::float8 * (1 + random() / 10)), failures = $4,
  etag = CASE WHEN $5::boolean THEN $6 ELSE r.etag END,
  last_modified = CASE WHEN $5::boolean THEN $7 ELSE r.last_modified END,
  confirmed_at = CASE WHEN $8::boolean THEN l.metrics_observed_at ELSE r.confirmed_at END
FROM listing l WHERE l.subject_id = r.listing_id AND r.listing_id = $1`;

/** Ends a claim with its outcome; call it after the listing was changed. */
export async function settleCheck(connection: Connection, id: string, check: SettledCheck): Promise<void> {
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

/** What the last check of a listing came to, and when the next one is. Moments are ISO 8601 UTC. */
export interface RepositoryLook {
  /** Null where its first turn is still to come. */
  outcome: RefreshOutcome | null;
  checkedAt: string | null;
  /** Something was read of it at some time. */
  wasRead: boolean;
  nextCheckAt: string;
  /** The next one is due, and has its turn to wait for. */
  isDue: boolean;
}

/** How a listing's repository was last looked at; null where it is not on the list yet. */
export async function findLook(connection: Connection, listingId: string): Promise<RepositoryLook | null> {
  const [look] = await connection.query<RepositoryLook>(
    `SELECT outcome, utc_text(checked_at) AS "checkedAt", confirmed_at IS NOT NULL AS "wasRead",
       utc_text(next_check_at) AS "nextCheckAt", next_check_at <= ledger_now() AS "isDue"
     FROM repository_refresh WHERE listing_id = $1`,
    [listingId],
  );
  return look ?? null;
}

/** How many listings of these hosts are due now, those never read included. */
export async function countDueChecks(connection: Connection, hosts: readonly string[]): Promise<number> {
  const [row] = await connection.query<{ due: number }>(
    `SELECT count(*) AS due FROM repository_refresh r JOIN listing l ON l.subject_id = r.listing_id
     WHERE r.next_check_at <= (SELECT ledger_now()) AND l.host = ANY ($1::text[])`,
    [hosts],
  );
  return row?.due ?? 0;
}

/** How many listings all processes together have checked in the last hour. */
export async function countRecentChecks(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ checks: number }>(
    `SELECT count(*) AS checks FROM repository_refresh
     WHERE checked_at > (SELECT ledger_now()) - interval '1 hour'`,
  );
  return row?.checks ?? 0;
}

/** Hosts that have listings. */
export async function listedHosts(connection: Connection): Promise<string[]> {
  const rows = await connection.query<{ host: string }>('SELECT DISTINCT host FROM listing ORDER BY host');
  return rows.map(({ host }) => host);
}
