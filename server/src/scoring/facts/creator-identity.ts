import type { CreatorAccounts, Observed } from '../fact-types.ts';

/**
 * Columns of `CreatorIdentity` for creator `c`, for scores of creators and of their listings. The view
 * `proved_account` has the valid proofs of the creator's directory account.
 */
export const CREATOR_IDENTITY_COLUMNS = `
  c.account_id IS NOT NULL AS "hasAccount", coalesce(proof.kinds, '{}') AS "provedKinds",
  utc_text(proof.checked_at) AS "provedAt", utc_text(host_account.created_at) AS "hostAccountCreatedAt",
  utc_text(host_account.checked_at) AS "hostAccountCheckedAt",
  ${hasRegistryNamespace('c')} AS "hasRegistryNamespace",
  c.imported ->> 'accountCreatedAt' AS "importedAccountCreatedAt", utc_text(c.updated_at) AS "creatorConfirmedAt"`;

/** SQL joins that supply `CREATOR_IDENTITY_COLUMNS`. They must follow `creator c` in the FROM clause. */
export const CREATOR_IDENTITY_JOINS = `
  LEFT JOIN LATERAL (SELECT array_agg(DISTINCT p.kind) AS kinds, min(p.checked_at) AS checked_at
    FROM proved_account p WHERE p.account_id = c.account_id) proof ON c.account_id IS NOT NULL
  LEFT JOIN LATERAL (SELECT p.host_account_created_at AS created_at, p.checked_at FROM proved_account p
    WHERE p.account_id = c.account_id AND p.kind = 'repo_host' AND p.host_account_created_at IS NOT NULL
    ORDER BY 1 LIMIT 1) host_account ON c.account_id IS NOT NULL`;

/** Stored data about a creator's identity. Times are ISO 8601 UTC. */
export interface CreatorIdentity extends StoredAccounts {
  /** True if the creator has an account in this directory. */
  hasAccount: boolean;
  /** Time of the oldest check among the creator's proofs; null without a proof. */
  provedAt: string | null;
  /** Creation date of the oldest proved account on a repository host; null if none is known. */
  hostAccountCreatedAt: string | null;
  hostAccountCheckedAt: string | null;
  /** Creation date of the account as the import source states it: a day, or a time with its zone. */
  importedAccountCreatedAt: string | null;
  creatorConfirmedAt: string;
}

const REGISTRY = 'registry';
/**
 * Source of facts that are proved in this directory. It is also the source of a creator's known accounts if the only
 * proof is of a kind that scores do not count, unless the MCP registry names an account of the creator.
 */
export const PROOF_SOURCE = 'linked_accounts';
/** Source of accounts that only the MCP registry attributes to the creator. */
export const ATTESTATION_SOURCE = 'mcp_registry';

/**
 * Returns, for each kind of account elsewhere, whether the creator is known to have one; all may be false. Returns null
 * if nothing is known: no account in this directory, and no namespace in the MCP registry. `namespaceSeenAt` is when the
 * namespace was read.
 */
export function observedAccounts(
  identity: CreatorIdentity,
  namespaceSeenAt: string,
): Observed<CreatorAccounts> | null {
  const { hasAccount, provedAt, hasRegistryNamespace, creatorConfirmedAt } = identity;
  if (!hasAccount && !hasRegistryNamespace) return null;
  const known = knownAccounts(identity);
  const value = {
    repoHost: known.repoHost !== null,
    nodePackages: known.nodePackages !== null,
    pythonPackages: known.pythonPackages !== null,
    professionalNetwork: known.professionalNetwork !== null,
  };
  // The source is that of the accounts that count. A proved social account does not count, so with only such a proof
  // the source is still the MCP registry, if it names an account.
  const isProofCounted = kindsKnownAs(identity, 'proved').length > 0;
  if (hasRegistryNamespace && !isProofCounted) {
    return { value, observedAt: namespaceSeenAt, source: ATTESTATION_SOURCE };
  }
  if (provedAt !== null) return { value, observedAt: provedAt, source: PROOF_SOURCE };
  return { value, observedAt: creatorConfirmedAt, source: REGISTRY };
}

/**
 * Returns when the creator's repository host account was created: the date of the proved account, otherwise the date
 * from the import; null if neither is known.
 */
export function observedAccountAge(identity: CreatorIdentity): Observed<string> | null {
  const { hostAccountCreatedAt, hostAccountCheckedAt, importedAccountCreatedAt } = identity;
  if (hostAccountCreatedAt !== null && hostAccountCheckedAt !== null) {
    return { value: hostAccountCreatedAt, observedAt: hostAccountCheckedAt, source: PROOF_SOURCE };
  }
  if (importedAccountCreatedAt === null) return null;
  const value = new Date(importedAccountCreatedAt).toISOString();
  return { value, observedAt: identity.creatorConfirmedAt, source: REGISTRY };
}

/** The four kinds of account that a score counts. */
export type AccountKind = keyof CreatorAccounts;

/**
 * Basis on which an account is known. `proved`: the creator has verified the account in this directory. `attested`: the
 * creator owns a name in a registry that assigns this name only to the owner of the account.
 */
type HowKnown = 'proved' | 'attested';

/** Stored data about a creator's accounts. */
export interface StoredAccounts {
  /** Kinds of account with a valid proof, such as `repo_host`. */
  readonly provedKinds: readonly string[];
  /**
   * True if the creator owns `io.github.<handle>` in the official MCP registry, which assigns this name only to the
   * owner of that GitHub account.
   */
  readonly hasRegistryNamespace: boolean;
}

const STORED_AS: Readonly<Record<AccountKind, string>> = {
  repoHost: 'repo_host',
  nodePackages: 'node_packages',
  pythonPackages: 'python_packages',
  professionalNetwork: 'professional_network',
};

/**
 * Returns, for each kind of account, on which basis an account of this kind is known to belong to the creator; null if
 * none is known. Scores, pages and the API all use this function.
 */
export function knownAccounts({
  provedKinds,
  hasRegistryNamespace,
}: StoredAccounts): Readonly<Record<AccountKind, HowKnown | null>> {
  const howKnown = (kind: AccountKind): HowKnown | null =>
    provedKinds.includes(STORED_AS[kind])
      ? 'proved'
      : kind === 'repoHost' && hasRegistryNamespace
        ? 'attested'
        : null;
  return {
    repoHost: howKnown('repoHost'),
    nodePackages: howKnown('nodePackages'),
    pythonPackages: howKnown('pythonPackages'),
    professionalNetwork: howKnown('professionalNetwork'),
  };
}

/** Returns the kinds of account that are known on the basis `how`. */
export function kindsKnownAs(accounts: StoredAccounts, how: HowKnown): AccountKind[] {
  const known = knownAccounts(accounts);
  return (Object.keys(known) as AccountKind[]).filter((kind) => known[kind] === how);
}

/**
 * Returns SQL that tests whether the creator with this table alias owns `io.github.<handle>` in the official MCP
 * registry.
 */
export function hasRegistryNamespace(creator: string): string {
  return `coalesce((${creator}.imported ->> 'mcpRegistryGithubNamespace') = 'true', false)`;
}
