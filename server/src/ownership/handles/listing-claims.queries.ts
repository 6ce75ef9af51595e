import { v7 as uuidv7 } from 'uuid';
import type { Connection } from '../../platform/database/connect.ts';
import { isRowId } from '../../platform/database/send-statement.ts';
import type { WaitReason } from './determine-ownership.ts';

/** Proved host account on which a claim is based. */
interface ClaimingOwner {
  accountId: string;
  host: string;
  handle: string;
  hostAccountId: string | null;
}

/** A listing whose owner is undetermined, with the reason. */
interface WaitingListing {
  id: string;
  reason: WaitReason;
}

/**
 * Opens claims on these listings, or updates the reasons of open claims. Does not open a claim again if the operator
 * has refused it before for the same directory account and host account.
 */
export async function saveClaims(
  connection: Connection,
  { accountId, host, handle, hostAccountId }: ClaimingOwner,
  waiting: readonly WaitingListing[],
): Promise<void> {
  if (waiting.length === 0) return;
  const rows = waiting.map(({ id, reason }) => ({ id: uuidv7(), listing_id: id, reason }));
  // Raw SQL: concurrent calls update the same open claim; refused ones are left out in the same statement.
  await connection.query(
    `INSERT INTO listing_claim AS c (id, listing_id, account_id, host, handle, host_account_id, reason)
     SELECT r.id, r.listing_id, $2, $3, $4, $5, r.reason
     FROM jsonb_to_recordset($1::jsonb) AS r(id uuid, listing_id uuid, reason text)
     WHERE NOT EXISTS (SELECT FROM listing_claim o WHERE o.listing_id = r.listing_id AND o.account_id = $2
       AND o.decision = 'refused' AND o.decided_by = 'operator' AND o.host_account_id IS NOT DISTINCT FROM $5)
     ON CONFLICT (listing_id, account_id) WHERE decided_at IS NULL
     DO UPDATE SET handle = excluded.handle, host_account_id = excluded.host_account_id, reason = excluded.reason
     WHERE (c.handle, c.host_account_id, c.reason) IS DISTINCT FROM
       (excluded.handle, excluded.host_account_id, excluded.reason)`,
    [JSON.stringify(rows), accountId, host, handle, hostAccountId],
  );
}

/** Ends the open claims of an account on these listings, with one decision for all of them. */
export async function endClaims(
  connection: Connection,
  accountId: string,
  listingIds: readonly string[],
  outcome: { decision: 'given' | 'refused'; decidedBy: 'reading' | 'operator' },
): Promise<void> {
  if (listingIds.length === 0) return;
  await connection.query(
    `UPDATE listing_claim SET decided_at = ledger_now(), decision = $3, decided_by = $4
     WHERE account_id = $1 AND listing_id = ANY ($2::uuid[]) AND decided_at IS NULL`,
    [accountId, listingIds, outcome.decision, outcome.decidedBy],
  );
}

/**
 * Decides the open claims on a listing if the owner of its repository is known without doubt. The decision is `given`
 * for a claim by a host account with the owner's id, and `refused` for all other claims.
 */
export async function endClaimsByReading(connection: Connection, listingId: string): Promise<void> {
  await connection.query(
    `UPDATE listing_claim c SET decided_at = ledger_now(), decided_by = 'reading',
       decision = CASE WHEN c.host_account_id = l.host_owner_id THEN 'given' ELSE 'refused' END
     FROM listing l WHERE l.subject_id = c.listing_id AND l.subject_id = $1 AND c.decided_at IS NULL
       AND l.host_owner_id IS NOT NULL AND l.identity_doubt IS NULL`,
    [listingId],
  );
}

/** Deletes the open claims of an account that are based on its proof of this host account, which has ended. */
export async function deleteClaims(
  connection: Connection,
  accountId: string,
  { host, handle }: { host: string; handle: string },
): Promise<void> {
  await connection.query(
    `DELETE FROM listing_claim WHERE account_id = $1 AND host = $2 AND lower(handle) = lower($3) AND decided_at IS NULL`,
    [accountId, host, handle],
  );
}

/** An open claim on a listing. Times are ISO 8601 UTC. */
export interface ListingClaim {
  id: string;
  listingId: string;
  agentId: string;
  host: string;
  repository: string;
  /** Directory account that claims the listing. */
  accountId: string;
  claimant: string;
  /** Handle of the host account that the claimant proved. */
  handle: string;
  hostAccountId: string | null;
  /** Directory account that has the listing now; null if its creator is unclaimed. */
  holderAccountId: string | null;
  reason: WaitReason;
  createdAt: string;
  /** True if the proof behind the claim is valid. */
  isProved: boolean;
}

const CLAIM = `
SELECT k.id, k.listing_id AS "listingId", l.agent_id AS "agentId", k.host, l.repository, k.account_id AS "accountId",
  coalesce(a.handle, a.id::text) AS claimant, k.handle, k.host_account_id AS "hostAccountId",
  c.account_id AS "holderAccountId", k.reason, utc_text(k.created_at) AS "createdAt",
  EXISTS (SELECT FROM proved_account p WHERE p.account_id = k.account_id AND p.kind = 'repo_host' AND p.host = k.host
    AND p.host_account_id IS NOT DISTINCT FROM k.host_account_id) AS "isProved"
FROM listing_claim k JOIN listing l ON l.subject_id = k.listing_id JOIN creator c ON c.subject_id = l.creator_id
JOIN account a ON a.id = k.account_id WHERE k.decided_at IS NULL`;

/** Returns all open claims, oldest first. */
export function findOpenClaims(connection: Connection): Promise<ListingClaim[]> {
  // Raw SQL: joins listings, creators, accounts and the view of proofs.
  return connection.query<ListingClaim>(`${CLAIM} ORDER BY k.created_at, k.id`);
}

/** Returns at most 100 open claims that an account has made, or that others have made on its listings; oldest first. */
export function findClaimsOf(connection: Connection, accountId: string): Promise<ListingClaim[]> {
  return connection.query<ListingClaim>(
    `${CLAIM} AND (k.account_id = $1 OR c.account_id = $1) ORDER BY k.created_at, k.id LIMIT 100`,
    [accountId],
  );
}

/** Returns an open claim by id; null if there is none. */
export async function findOpenClaim(connection: Connection, id: string): Promise<ListingClaim | null> {
  if (!isRowId(id)) return null;
  const [claim] = await connection.query<ListingClaim>(`${CLAIM} AND k.id = $1`, [id]);
  return claim ?? null;
}
