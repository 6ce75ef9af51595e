import type { Category } from '../../catalog/listings/listing-row.ts';
import type { OtherPackage } from '../../catalog/packages/confirm-package.ts';
import type { PackageStanding } from '../../scoring/fact-types.ts';
import type { ReasonCode } from '../../scoring/verdict/reasons.ts';
import type { VerdictInput, VerdictState } from '../../scoring/verdict/verdict.ts';
import { readVerdict, type Verdict, verdictOf } from '../../scoring/verdict/verdict.ts';

/** Percentage of listings of the same type and category with lower trust. */
export interface Standing {
  percentile: number;
  /** Number of scored listings compared. */
  among: number;
  /** Time of the count, ISO 8601. */
  countedAt: string;
}

/**
 * Packages of a listing. `npmConfirmed` and `pypiConfirmed` are true if the package and the repository name each other,
 * `npmMissing` and `pypiMissing` if the registry does not have the package.
 */
interface StoredPackages {
  npm: string | null;
  npmConfirmed: boolean;
  npmMissing: boolean;
  pypi: string | null;
  pypiConfirmed: boolean;
  pypiMissing: boolean;
  others: readonly OtherPackage[];
}

/** A listing as the directory shows it, with its creator and the creator's confirmed score. */
export interface AgentRecord {
  subjectId: string;
  creatorId: string;
  agentId: string;
  type: 'agent' | 'skill';
  name: string;
  description: string;
  category: Category;
  tags: string[];
  kind: string;
  license: string | null;
  /** True if each of its packages and the repository name each other; null without a package. */
  packageConfirmed: boolean | null;
  /** Null without a package. */
  packages: StoredPackages | null;
  repositoryUrl: string;
  /** Number of known parts: servers, skills, agents and plugins inside the repository. */
  partCount: number;
  stars: number | null;
  forks: number | null;
  openIssues: number | null;
  lastCommitAt: Date | null;
  /** Time at which last commit, stars, forks and open issues were read; if unknown, the time of the last update. */
  metricsReadAt?: Date | null;
  verified: boolean;
  trust: number | null;
  confidence: number | null;
  tier: 'high' | 'medium' | 'low';
  /** Time of the current score with microseconds; null without a confirmed score. */
  scoreVersion: string | null;
  /** Null without a score, and for a score that was stored before verdicts existed. */
  verdict: VerdictState | null;
  reasons: ReasonCode[] | null;
  /**
   * Result of checking the package for advisories; null unless the text of one of the reasons names package versions.
   */
  packageStanding?: PackageStanding | null;
  /** Evidence of a score that was stored without a verdict; otherwise null. */
  evidence: Omit<VerdictInput, 'confidence'> | null;
  /** Null if the listing has little evidence or a warning, or if its category has few listings. */
  standing: Standing | null;
  listedAt: Date;
  updatedAt: Date;
  /**
   * True if a relation connects the whole repository with another one. Without such a relation, the listing cannot be an
   * old name or a copy, so its flags need not be loaded.
   */
  related?: boolean;
  creatorHost: string;
  creatorHandle: string;
  creatorDisplayName: string | null;
  creatorVerified: boolean;
  /** The creator's own confirmed score; loaded for verified creators only. */
  creatorTrust: number | null;
  creatorConfidence: number | null;
}

/**
 * Returns the verdict of a listing's score: the stored one, or one computed from its evidence. Null without a score.
 */
export function agentVerdict({
  verdict,
  reasons,
  evidence,
  confidence,
  lastCommitAt,
  metricsReadAt = null,
  packageStanding = null,
}: AgentRecord): Verdict | null {
  const lastCommit = { at: lastCommitAt, readAt: metricsReadAt };
  if (verdict !== null) return readVerdict(verdict, reasons ?? [], lastCommit, packageStanding);
  return evidence === null || confidence === null ? null : verdictOf({ ...evidence, confidence });
}
