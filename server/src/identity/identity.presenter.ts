import type { IdentityProfile } from '../generated/types.gen.ts';
import type { Identity } from './get-identity.ts';

/** A creator's profile under the wire's names. Accounts that are not proved are absent, which says no more than that. */
export function presentIdentity(identity: Identity): IdentityProfile {
  return {
    handle: identity.handle,
    displayName: identity.displayName ?? identity.handle,
    trustScore: identity.trust,
    confidence: identity.confidence,
    tier: identity.tier,
    verifiedAccounts: {},
    agentCount: identity.listingCount,
    trustEquity: identity.trustEquity,
  };
}
