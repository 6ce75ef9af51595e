/**
 * Places for a code: profile text, a file of a person's repository, a package, a DNS record of a domain that an
 * organisation names. `domain` is stored of former proofs alone, which a file of the website may have made.
 */
export type CodePlace = 'profile' | 'repository' | 'package' | 'domain' | 'dns_record';

/** What a host says of an account in public. */
export interface HostAccount {
  /** What the host never gives to another account. */
  hostAccountId: string;
  /** ISO 8601 UTC; null where the host does not tell. */
  createdAt: string | null;
  /** In the host's own spelling. */
  handle: string;
  /** True unless the host says that it is one person's: then only what all its owners alone can write is a proof. */
  isOrganisation: boolean;
  /** Where the code stood, a place that only the account's owners can write to; null where it stood in none. */
  codePlace: CodePlace | null;
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
