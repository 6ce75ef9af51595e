import type { Category } from '../registry/listings/listing-row.ts';
import type { ReasonCode } from '../scoring/verdict/reasons.ts';
import type { Judged, VerdictState } from '../scoring/verdict/verdict.ts';

/** What share of the listings of its type and category one stands above by trust, in whole percent. */
export interface Standing {
  percentile: number;
  /** Of how many scored listings. */
  among: number;
  /** ISO 8601. */
  countedAt: string;
}

/** A listing as the directory shows it: columns of its own row, its creator's, and the creator's confirmed score. */
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
  repositoryUrl: string;
  stars: number | null;
  forks: number | null;
  openIssues: number | null;
  lastCommitAt: Date | null;
  verified: boolean;
  trust: number | null;
  confidence: number | null;
  tier: 'high' | 'medium' | 'low';
  /** Six decimals; null without a confirmed score. */
  scoreVersion: string | null;
  /** Null without a score, and of one that was stored before verdicts were. */
  verdict: VerdictState | null;
  reasons: ReasonCode[] | null;
  /** Of a score without a verdict: what it is made from. */
  evidence: Omit<Judged, 'confidence'> | null;
  /** Null where little is known, with a warning, and in a category of few. */
  standing: Standing | null;
  listedAt: Date;
  updatedAt: Date;
  /** Whether a relation speaks of the whole repository: only then has it marks. */
  related?: boolean;
  creatorHost: string;
  creatorHandle: string;
  creatorDisplayName: string | null;
  creatorVerified: boolean;
  /** The creator's own confirmed score; read for a verified creator only. */
  creatorTrust: number | null;
  creatorConfidence: number | null;
}
