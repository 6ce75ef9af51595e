/** A fact with the moment we (or our source) saw it, ISO 8601 UTC, and who said so. */
export interface Observed<Value> {
  value: Value;
  observedAt: string;
  source: string;
}

/** Which accounts of a creator are proved to be theirs. */
export interface CreatorAccounts {
  repoHost: boolean;
  nodePackages: boolean;
  pythonPackages: boolean;
  professionalNetwork: boolean;
}

/** What a listing says of itself; `skillManifest` only where a skill file with a path is known, else null. */
export interface Metadata {
  description: boolean;
  tags: boolean;
  category: boolean;
  homepage: boolean;
  skillManifest: boolean | null;
}

/** A lineage parent with its trust and confidence without its own lineage signal; null without a confirmed score. */
export interface Parent {
  id: string;
  score: { ownTrust: number; ownConfidence: number; version: string } | null;
  /** Both count for the same creator, or the parent's proved owner acknowledges it: the edge counts in full. */
  acknowledged: boolean;
}

/** All that is known of an agent or skill in a repository. Null is unknown, never zero and never false. */
export interface RepositoryFacts {
  verified: Observed<boolean> | null;
  creatorAccounts: Observed<CreatorAccounts> | null;
  creatorAccountCreatedAt: Observed<string> | null;
  repositoryCreatedAt: string | null;
  archived: boolean | null;
  deprecated: boolean | null;
  lastCommitAt: Observed<string> | null;
  openIssues: Observed<number> | null;
  stars: Observed<number> | null;
  forks: Observed<number> | null;
  /** Downloads of a package that this subject alone names. */
  monthlyDownloads: Observed<number> | null;
  license: Observed<string> | null;
  metadata: Observed<Metadata> | null;
  parents: readonly Parent[];
}
