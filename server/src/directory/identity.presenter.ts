import type { IdentityProfile, VerifiedAccounts } from '../generated/types.gen.ts';
import type { Identity } from './get-identity.ts';

/** A creator's profile under the wire's names. Accounts that are not proved are absent, which says no more than that. */
export function presentIdentity(identity: Identity): IdentityProfile {
  return {
    handle: identity.publicHandle,
    displayName: identity.displayName ?? identity.handle,
    trustScore: identity.trust,
    confidence: identity.confidence,
    tier: identity.tier,
    verifiedAccounts: presentProofs(identity.provedKinds),
    agentCount: identity.listingCount,
    trustEquity: identity.trustEquity,
  };
}

/** Social and messaging accounts are subjects of their own, and no part of a profile. */
const WIRE_KINDS: Readonly<Record<string, keyof VerifiedAccounts>> = {
  repo_host: 'repoHost',
  professional_network: 'professionalNetwork',
  node_packages: 'nodePackages',
  python_packages: 'pythonPackages',
};

function presentProofs(kinds: readonly string[]): VerifiedAccounts {
  const shown = kinds.flatMap((kind) => WIRE_KINDS[kind] ?? []);
  return Object.fromEntries(shown.map((kind) => [kind, true]));
}
