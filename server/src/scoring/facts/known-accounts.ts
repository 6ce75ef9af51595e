import type { CreatorAccounts } from '../fact-types.ts';

/** The four kinds of account that a score counts. */
export type AccountKind = keyof CreatorAccounts;

/**
 * `proved`: verified here by the creator. `attested`: a registry assigns a name only to the owner of that account.
 */
type HowKnown = 'proved' | 'attested';

/** Stored information on a creator's accounts. */
export interface StoredAccounts {
  /** Kinds of account with a valid proof, such as `repo_host`. */
  readonly provedKinds: readonly string[];
  /**
   * True if they own `io.github.<handle>` in the official MCP registry, which assigns it only to that account's
   * owner.
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
 * Returns how each kind of account is known to belong to the creator; null if it is not. Scores, pages and the API
 * all use this function.
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

/** Returns the kinds that are known in this way. */
export function kindsKnownAs(accounts: StoredAccounts, how: HowKnown): AccountKind[] {
  const known = knownAccounts(accounts);
  return (Object.keys(known) as AccountKind[]).filter((kind) => known[kind] === how);
}

/**
 * Returns SQL that tests whether the creator with this alias owns `io.github.<handle>` in the official MCP registry.
 */
export function hasRegistryNamespace(creator: string): string {
  return `coalesce((${creator}.imported ->> 'mcpRegistryGithubNamespace') = 'true', false)`;
}
