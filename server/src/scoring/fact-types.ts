/** Facts of a subject: of an agent or skill, of a creator, or of a social or messaging account. */
export type Facts = RepositoryFacts | CreatorFacts | AccountFacts;

/** A fact with the time (ISO 8601 UTC) and the source of its observation. */
export interface Observed<Value> {
  value: Value;
  observedAt: string;
  source: string;
}

/** Kinds of account that are known to belong to a creator. */
export interface CreatorAccounts {
  repoHost: boolean;
  nodePackages: boolean;
  pythonPackages: boolean;
  professionalNetwork: boolean;
}

/** Metadata that a listing has. `skillManifest` is null if no path of a skill file is known. */
export interface Metadata {
  description: boolean;
  tags: boolean;
  category: boolean;
  homepage: boolean;
  skillManifest: boolean | null;
}

/**
 * A lineage parent. `score` has its trust and confidence, computed without the parent's own lineage signal; null
 * without a confirmed score.
 */
export interface Parent {
  id: string;
  score: { ownTrust: number; ownConfidence: number; version: string } | null;
  /**
   * True if the edge counts in full: both count for the same creator, or the parent's proved owner acknowledges it.
   */
  acknowledged: boolean;
}

/** Known facts of an agent or skill in a repository. Null means unknown, never zero or false. */
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
  /** Downloads of a package that only this subject names. */
  monthlyDownloads: Observed<number> | null;
  license: Observed<string> | null;
  metadata: Observed<Metadata> | null;
  parents: readonly Parent[];
}

/**
 * Scores of the listings that count for a creator, without lineage; confidence `c` and trust `t` are shares from 0 to
 * 1. A repository of another owner does not count, even if this creator's account registered it.
 */
export interface Portfolio {
  /** Listings that count and have a confirmed score. */
  listings: number;
  /** Σ c over these listings. */
  confidence: number;
  /** Σ c·t over these listings. */
  weightedTrust: number;
  /** Time of the oldest score counted, ISO 8601 UTC. */
  observedAt: string;
}

/** Known facts of a creator. Null means unknown, never zero or false. */
export interface CreatorFacts {
  accounts: Observed<CreatorAccounts> | null;
  accountCreatedAt: Observed<string> | null;
  /** Null if no counted listing has a confirmed score. */
  portfolio: Portfolio | null;
  /** Graph equity, 0 to 1: rank among creators who build on each other's work. */
  graphEquity: Observed<number> | null;
}

/**
 * Kind of account: `account` for a person or organisation, `channel` for a broadcast channel or group, `bot` for a
 * program.
 */
export type AccountKind = 'account' | 'channel' | 'bot';

/**
 * Mutual links: `both` if the profile names the creator's repository host account and is named by it, `one` if only
 * one direction exists.
 */
export type CrossLink = 'both' | 'one' | 'none';

/** Known facts of a social or messaging account. Null means unknown, never zero or false. */
export interface AccountFacts {
  kind: AccountKind;
  /** Present if the owner has a valid proof here. */
  proved?: Observed<boolean>;
  /** The platform's own verification mark. */
  verifiedMark: Observed<boolean> | null;
  accountCreatedAt: Observed<string> | null;
  /** Followers, subscribers or members; for a bot its monthly users. */
  audience: Observed<number> | null;
  /** Largest growth of the audience within one day as a share: 0.5 is an increase by half. */
  audienceDayGrowth: Observed<number> | null;
  /** Median reactions (social) or views (messaging) per post, relative to the audience. */
  engagement: Observed<number> | null;
  lastPostAt: Observed<string> | null;
  /** Cross-link of a bot: whether its stated owner is the creator, and the creator names the bot. */
  crossLink: Observed<CrossLink> | null;
  /** True if the platform itself warns about the account. */
  scamFlag: Observed<boolean> | null;
}
