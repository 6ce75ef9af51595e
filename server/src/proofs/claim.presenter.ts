import type { ListingClaim as WireListingClaim } from '../generated/types.gen.ts';
import { describeReason } from './claim-reasons.ts';
import type { ListingClaim } from './claims.repository.ts';

/** Presents a claim as one of its two sides sees it. */
export function presentClaim(claim: ListingClaim, accountId: string): WireListingClaim {
  const { id, agentId, host, repository, handle, reason, createdAt } = claim;
  const isYours = claim.accountId === accountId;
  return {
    id,
    agentId,
    host,
    repository,
    claimedBy: handle,
    isYours,
    reason: describeReason(reason),
    createdAt,
  };
}
