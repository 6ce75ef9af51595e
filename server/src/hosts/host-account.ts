/** What an account is on: the kinds that a person can link. */
export const ACCOUNT_KINDS = [
  'repo_host',
  'node_packages',
  'python_packages',
  'professional_network',
  'social',
  'messaging',
] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** What a host says of an account in public. */
export interface HostAccount {
  /** What the host never gives to another account. */
  hostAccountId: string;
  /** ISO 8601 UTC; null where the host does not tell. */
  createdAt: string | null;
  /** In the host's own spelling. */
  handle: string;
  /** True where the code stood in a place that only the account's owner can write to. */
  carriesCode: boolean;
  /** Where a person can see what was read. */
  evidenceUrl: string;
  /** What can be observed of a social or messaging account; null for the other kinds. */
  facts: AccountObservations | null;
}

/** Facts of a social or messaging account as its platform shows them; null is unknown. */
export interface AccountObservations {
  name: string | null;
  verifiedMark: boolean | null;
  /** Followers, or members of a channel. */
  audience: number | null;
  /** ISO 8601 UTC. */
  lastPostAt: string | null;
  /** Addresses that the profile names, for links in both directions. */
  links: readonly string[];
}
