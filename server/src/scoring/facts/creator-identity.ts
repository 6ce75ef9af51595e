import type { CreatorAccounts, Observed } from './repository-facts.ts';

/** What is stored of a creator's identity. Moments are ISO 8601 UTC. */
export interface CreatorIdentity {
  /** The creator has signed in here. */
  hasAccount: boolean;
  /** Kinds of account that are proved at present, such as `repo_host`. */
  provedKinds: readonly string[];
  /** The longest ago that one of them was checked; null where none is proved. */
  provedAt: string | null;
  /** Of the oldest proved account on a repository host. */
  hostAccountCreatedAt: string | null;
  hostAccountCheckedAt: string | null;
  /** The official MCP registry gives the namespace `io.github.<handle>` only to that account's owner. */
  hasRegistryNamespace: boolean;
  /** As a source states it: a day, or a moment with its zone. */
  importedAccountCreatedAt: string | null;
  creatorConfirmedAt: string;
}

const REGISTRY = 'registry';

/**
 * Which accounts are proved, for the scorer alone: observed (perhaps none of them) for a creator who has signed in, or
 * whose registry namespace was seen at `namespaceSeenAt`. Another namespace, or none, proves and disproves nothing.
 */
export function observedAccounts(
  identity: CreatorIdentity,
  namespaceSeenAt: string,
): Observed<CreatorAccounts> | null {
  const { hasAccount, provedKinds, provedAt, hasRegistryNamespace, creatorConfirmedAt } = identity;
  if (!hasAccount && !hasRegistryNamespace) return null;
  const value = {
    repoHost: hasRegistryNamespace || provedKinds.includes('repo_host'),
    nodePackages: provedKinds.includes('node_packages'),
    pythonPackages: provedKinds.includes('python_packages'),
    professionalNetwork: provedKinds.includes('professional_network'),
  };
  if (provedAt !== null) return { value, observedAt: provedAt, source: 'linked_accounts' };
  if (hasRegistryNamespace) return { value, observedAt: namespaceSeenAt, source: 'mcp_registry' };
  return { value, observedAt: creatorConfirmedAt, source: REGISTRY };
}

/** When the creator's account on a repository host was made: of the proved one, else as imported. */
export function observedAccountAge(identity: CreatorIdentity): Observed<string> | null {
  const { hostAccountCreatedAt, hostAccountCheckedAt, importedAccountCreatedAt } = identity;
  if (hostAccountCreatedAt !== null && hostAccountCheckedAt !== null) {
    return { value: hostAccountCreatedAt, observedAt: hostAccountCheckedAt, source: 'linked_accounts' };
  }
  if (importedAccountCreatedAt === null) return null;
  const value = new Date(importedAccountCreatedAt).toISOString();
  return { value, observedAt: identity.creatorConfirmedAt, source: REGISTRY };
}
