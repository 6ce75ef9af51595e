/** Facts of a subject: an agent or skill, a creator, or a social or messaging account. */
export type Facts = RepositoryFacts | CreatorFacts | AccountFacts;

/** A fact with the time (ISO 8601 UTC) and the source of its observation. */
export interface Observed<Value> {
  value: Value;
  observedAt: string;
  source: string;
}

/** Kinds of account; true if an account of the kind is known to belong to the creator. */
export interface CreatorAccounts {
  repoHost: boolean;
  nodePackages: boolean;
  pythonPackages: boolean;
  professionalNetwork: boolean;
}

/**
 * Parts of the metadata of a listing. True: the listing has the part. False: the repository or the registration was
 * read and lacks the part. Null: unknown, because no source that would show the part was read.
 */
export interface Metadata {
  description: boolean | null;
  tags: boolean | null;
  category: boolean | null;
  homepage: boolean | null;
  skillManifest: boolean | null;
}

/**
 * A parent in the lineage. `score` has the parent's trust and confidence, computed without the parent's own lineage
 * signal; null if the parent has no confirmed score.
 */
export interface Parent {
  id: string;
  score: { ownTrust: number; ownConfidence: number; version: string } | null;
  /**
   * True if the parent passes on its trust in full: parent and child count for the same creator, or the parent's proved
   * owner has acknowledged the child.
   */
  acknowledged: boolean;
}

/**
 * Vulnerability of a package's published version. `fixedIn` is a version without it; null if no such version has been
 * published.
 */
export interface OpenVulnerability {
  id: string;
  severity: 'critical' | 'high' | 'medium' | 'low' | null;
  fixedIn: string | null;
}

/**
 * Security status of a listing's confirmed package according to its advisories. If the listing has several packages,
 * this is the status of the worst one, and `others` has the other affected ones.
 */
export interface PackageStanding {
  ecosystem: 'npm' | 'pypi';
  name: string;
  /** Published version that was judged; null if it was never read. */
  version: string | null;
  /**
   * Result for the published version. `unread`: it is not known which version is published. `not_affected`: no advisory
   * about malware names this version; it may still have `vulnerabilities`.
   */
  published: 'malware' | 'not_affected' | 'unread';
  /** True if an advisory about malware covers every version of the package. */
  everyVersion: boolean;
  /**
   * Versions that advisories about malware name as affected, as texts such as `0.5.1` or `>=1.0.16`. If `isResearch`,
   * they are proofs of concept.
   */
  malwareVersions: readonly string[];
  /**
   * Time since when the published versions have been sound (without malware), after versions with malware. It is the
   * release time of the first sound version. If that version has a lower number than a version with malware, it is the
   * later of this release and the publication of the advisory. Null if unknown, if no version had malware, or if the
   * published version has it.
   */
  soundSince: string | null;
  /** True if all malware advisories are about researchers' proofs of concept. Then `published` is never `malware`. */
  isResearch: boolean;
  vulnerabilities: readonly OpenVulnerability[];
  advisoryIds: readonly string[];
  /** Disputed versions: an advisory names them as malware, and another statement denies it. */
  disputedVersions: readonly string[];
  /** Version with malware that the package registry installs by default, if it is a pre-release; absent otherwise. */
  defaultMalware?: string;
  /** Present if no advisory database of the ecosystem was read lately: further advisories may be unknown. */
  isOutdated?: true;
  /**
   * Security status of each of the listing's other packages that have malware or vulnerabilities, the worst first;
   * absent if there are none. A package with malware stays here after the listing has replaced it by another package.
   */
  others?: readonly PackageStanding[];
}

/** Returns the security status of a listing's package, followed by those of the other packages in `others`. */
export function everyStanding(standing: PackageStanding): readonly PackageStanding[] {
  return [standing, ...(standing.others ?? [])];
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
  /** Monthly downloads of the npm package; null unless the package is confirmed for this listing and no other one. */
  monthlyDownloads: Observed<number> | null;
  license: Observed<string> | null;
  metadata: Observed<Metadata> | null;
  parents: readonly Parent[];
  /** Number of independent lists that name the repository. This field and the following ones are absent if unknown. */
  lists?: Observed<number>;
  /** Present only if the registry of the package and the repository name each other. */
  packageConfirmed?: Observed<true>;
  /** Further observed facts, ordered by name and source. Several sources may have observed the same fact. */
  observed?: readonly ObservedRecord[];
}

/**
 * Values of further observed facts about a repository, by the fact's name. An unknown field is null. The stored values
 * (`catalog/facts/`) have more fields.
 */
export interface FurtherFacts {
  published_package: {
    version: string;
    releasedAt: string | null;
    /** `lost`: an earlier version had provenance, and the published one has none. */
    provenance: 'attested' | 'none' | 'lost' | null;
    deprecated: boolean | null;
    monthlyDownloads: number | null;
  };
  package_standing: PackageStanding;
  releases: { count: number; latestAt: string | null };
  contributors: { count: number };
  security_policy: { present: boolean };
  owner_account: { kind: 'organisation' | 'user'; createdAt: string | null };
  /** OpenSSF Scorecard, 0 to 10. */
  scorecard: { score: number };
  /** Namespace of the MCP registry, or a domain, that provably belongs to the repository's owner. */
  official_maker: { namespace: string };
  /** Status of the repository as the list that describes it states it, read from the description's first words. */
  stated_status: StatedStatus;
}

/** Status of a repository as a list states it. `since` is a month such as `2026-04`; null if the list names none. */
export interface StatedStatus {
  status: 'archived' | 'deprecated' | 'unmaintained';
  since: string | null;
}

export type FurtherFactName = keyof FurtherFacts;

/** A further fact with its name, and with the time and source of its observation. */
export type ObservedRecord = {
  [Name in FurtherFactName]: Observed<FurtherFacts[Name]> & { fact: Name };
}[FurtherFactName];

/**
 * Sums over the scores, without lineage, of the listings that count for a creator. Confidence `c` and trust `t` of a
 * score are shares from 0 to 1. A repository of another owner does not count, even if this creator's account registered
 * it.
 */
export interface Portfolio {
  /** Number of listings that count and have a confirmed score. */
  listings: number;
  /** Σ c over these listings. */
  confidence: number;
  /** Σ c·t over these listings. */
  weightedTrust: number;
  /** Time of the oldest score that was counted, ISO 8601 UTC. */
  observedAt: string;
}

/** Known facts of a creator. Null means unknown, never zero or false. */
export interface CreatorFacts {
  accounts: Observed<CreatorAccounts> | null;
  accountCreatedAt: Observed<string> | null;
  /** Null if none of the creator's listings that count has a confirmed score. */
  portfolio: Portfolio | null;
  /** Graph equity, 0 to 1: the creator's trust in the graph of creators who build on each other's work. */
  graphEquity: Observed<number> | null;
}

/**
 * Kind of account: `account` for a person or organisation, `channel` for a broadcast channel or group, `bot` for a
 * program.
 */
export type AccountKind = 'account' | 'channel' | 'bot';

/**
 * Links between a profile and the creator's account on a repository host. `both`: each of the two names the other.
 * `one`: only one of them names the other.
 */
export type CrossLink = 'both' | 'one' | 'none';

/** Known facts of a social or messaging account. Null means unknown, never zero or false. */
export interface AccountFacts {
  kind: AccountKind;
  /** Present only if the account's owner has proved in this directory that the account is theirs. */
  proved?: Observed<boolean>;
  /** The platform's own verification mark. */
  verifiedMark: Observed<boolean> | null;
  accountCreatedAt: Observed<string> | null;
  /** Followers, subscribers or members; for a bot its monthly users. */
  audience: Observed<number> | null;
  /** Largest growth of the audience within one day as a share: 0.5 is an increase by half. */
  audienceDayGrowth: Observed<number> | null;
  /** Median reactions (social) or views (messaging) per post, as a share of the audience. */
  engagement: Observed<number> | null;
  lastPostAt: Observed<string> | null;
  /** Links as in `CrossLink`. For a bot: whether it states the creator as its owner, and the creator names the bot. */
  crossLink: Observed<CrossLink> | null;
  /** True if the platform itself warns about the account. */
  scamFlag: Observed<boolean> | null;
}
