import type { Connection } from '../../platform/database/connect.ts';
import { isRowId } from '../../platform/database/send-statement.ts';
import type { WaitReason } from '../handles/determine-ownership.ts';

/** An open claim on a listing. Times are ISO 8601 UTC. */
export interface ListingClaim {
  id: string;
  listingId: string;
  agentId: string;
  host: string;
  repository: string;
  /** Account that claims the listing. */
  accountId: string;
  claimant: string;
  /** The claimant's proved host account. */
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
  // SQL: joins listings, creators, accounts and the view of proofs.
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
