import { accountsKnown, kindsKnown, type StoredAccounts } from './accounts-known.ts';
import type { CreatorAccounts, Observed } from './repository-facts.ts';

/** What is stored of a creator's identity. Moments are ISO 8601 UTC. */
export interface CreatorIdentity extends StoredAccounts {
  /** The creator has signed in here. */
  hasAccount: boolean;
  /** The longest ago that one of them was checked; null where none is proved. */
  provedAt: string | null;
  /** Of the oldest proved account on a repository host. */
  hostAccountCreatedAt: string | null;
  hostAccountCheckedAt: string | null;
  /** As a source states it: a day, or a moment with its zone. */
  importedAccountCreatedAt: string | null;
  creatorConfirmedAt: string;
}

const REGISTRY = 'registry';
/** The source of accounts where any is proved here, be it of a kind that does not count. */
export const PROOF_SOURCE = 'linked_accounts';
/** The source of accounts that no proof here, but only the MCP registry, says to be the creator's. */
export const ATTESTING_SOURCE = 'mcp_registry';

/**
 * Which accounts are proved, for the scorer alone: observed (perhaps none of them) for a creator who has signed in, or
 * whose registry namespace was seen at `namespaceSeenAt`. Another namespace, or none, proves and disproves nothing.
 */
export function observedAccounts(
  identity: CreatorIdentity,
  namespaceSeenAt: string,
): Observed<CreatorAccounts> | null {
  const { hasAccount, provedAt, hasRegistryNamespace, creatorConfirmedAt } = identity;
  if (!hasAccount && !hasRegistryNamespace) return null;
  const known = accountsKnown(identity);
  const value = {
    repoHost: known.repoHost !== null,
    nodePackages: known.nodePackages !== null,
    pythonPackages: known.pythonPackages !== null,
    professionalNetwork: known.professionalNetwork !== null,
  };
  // What counts says where it is from: a proved social account does not make a proof of the registry's word.
  const isProofCounted = kindsKnown(identity, 'proved').length > 0;
  if (hasRegistryNamespace && !isProofCounted) {
    return { value, observedAt: namespaceSeenAt, source: ATTESTING_SOURCE };
  }
  if (provedAt !== null) return { value, observedAt: provedAt, source: PROOF_SOURCE };
  return { value, observedAt: creatorConfirmedAt, source: REGISTRY };
}

/** When the creator's account on a repository host was made: of the proved one, else as imported. */
export function observedAccountAge(identity: CreatorIdentity): Observed<string> | null {
  const { hostAccountCreatedAt, hostAccountCheckedAt, importedAccountCreatedAt } = identity;
  if (hostAccountCreatedAt !== null && hostAccountCheckedAt !== null) {
    return { value: hostAccountCreatedAt, observedAt: hostAccountCheckedAt, source: PROOF_SOURCE };
  }
  if (importedAccountCreatedAt === null) return null;
  const value = new Date(importedAccountCreatedAt).toISOString();
  return { value, observedAt: identity.creatorConfirmedAt, source: REGISTRY };
}
