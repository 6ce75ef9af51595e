import type { CreatorAccounts } from './repository-facts.ts';

/** The four kinds of account that a score counts. */
export type AccountKind = keyof CreatorAccounts;

/** `proved` here by the creator; `attested` by a registry that gives a name to that account's owner alone. */
type HowKnown = 'proved' | 'attested';

/** What is stored of a creator's accounts. */
export interface StoredAccounts {
  /** Kinds of account that are proved at present, such as `repo_host`. */
  readonly provedKinds: readonly string[];
  /** The official MCP registry gives the namespace `io.github.<handle>` only to that account's owner. */
  readonly hasRegistryNamespace: boolean;
}

const STORED_AS: Readonly<Record<AccountKind, string>> = {
  repoHost: 'repo_host',
  nodePackages: 'node_packages',
  pythonPackages: 'python_packages',
  professionalNetwork: 'professional_network',
};

/**
 * How each kind of account is known to be the creator's, null where it is not. The one answer to that question: scores,
 * pages and the API all ask here.
 */
export function accountsKnown({
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

/** The kinds that are known in this way. */
export function kindsKnown(accounts: StoredAccounts, how: HowKnown): AccountKind[] {
  const known = accountsKnown(accounts);
  return (Object.keys(known) as AccountKind[]).filter((kind) => known[kind] === how);
}
