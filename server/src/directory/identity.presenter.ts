import type { IdentityProfile, VerifiedAccounts } from '../generated/types.gen.ts';
import { type AccountKind, kindsKnown } from '../scoring/facts/accounts-known.ts';
import type { Identity } from './get-identity.ts';

/** A creator's profile under the wire's names. Accounts that are not proved are absent, which says no more than that. */
export function presentIdentity(identity: Identity): IdentityProfile {
  return {
    handle: identity.publicHandle,
    displayName: identity.displayName ?? identity.handle,
    trustScore: identity.trust,
    confidence: identity.confidence,
    tier: identity.tier,
    verifiedAccounts: presentKinds(kindsKnown(identity, 'proved')),
    attestedAccounts: presentKinds(kindsKnown(identity, 'attested')),
    agentCount: identity.listingCount,
    trustEquity: identity.trustEquity,
  };
}

/** Social and messaging accounts are subjects of their own, and no part of a profile. */
function presentKinds(kinds: readonly AccountKind[]): VerifiedAccounts {
  return Object.fromEntries(kinds.map((kind) => [kind, true]));
}
