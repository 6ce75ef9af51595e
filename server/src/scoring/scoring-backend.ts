import type { Facts } from './fact-types.ts';
import type { SubjectType } from './subject-type.ts';

/** The subject of a score, as stored in this directory. */
export interface ScoreSubject {
  id: string;
  type: SubjectType;
  name: string;
  repository: string | null;
}

/**
 * Request to a scoring backend. `runId` is the ledger id of the open run; a remote backend gets it as idempotency key.
 * It is null if no run is open: for unpaid scores, and for calls that are scored before they are charged.
 */
export interface ScoreRequest {
  operation: string;
  runId: string | null;
  subject: ScoreSubject;
  /** Facts of the kind that fits `subject.type`. A subject is never scored from facts of another kind. */
  facts: Facts;
  /** Database time from which ages are computed, so that a score can be reproduced from its inputs. */
  now: Date;
}

export type ScoreStatus = 'complete' | 'partial' | 'incomplete';
export type Tier = 'high' | 'medium' | 'low';

/**
 * Contribution of one signal. `points` is the signal's part of the raw trust (trust before caps). `evidence` is the
 * amount of evidence with which the signal counts in trust: for agents and skills of rs-2.0.0 after the decay by the
 * observation's age, in all other embedded scores before it.
 */
export interface Contribution {
  signal: string;
  value: number | null;
  weight: number;
  points: number;
  evidence: number;
  status: 'observed' | 'missing' | 'not_applicable';
  source: string | null;
  observedAt: string | null;
  reason: string | null;
}

/** A cap (maximum) that is below the raw trust. `raw` is the trust before all caps, `final` the trust after them. */
export interface Cap {
  cap: string;
  limit: number;
  raw: number;
  final: number;
}

/**
 * Score as a backend returns it. Trust, confidence and lower bound are 0 to 100. The fields `own…` are computed without
 * the lineage signal.
 */
export interface BackendScore {
  subjectType: SubjectType;
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  ownTrust: number;
  ownConfidence: number;
  status: ScoreStatus;
  /** Time of the oldest observation used, ISO 8601 UTC. */
  freshness: string;
  /** Weight of the observed signals as a share of the weight of all signals that apply, 0 to 1. */
  coverage: number;
  methodVersion: string;
  inputsHash: string;
  contributions: Contribution[];
  caps: Cap[];
}

/** Computes scores. A returned score is untrusted until `acceptScore` has validated it. */
export interface ScoringBackend {
  /** `embedded`, or the backend's host. */
  readonly source: string;
  score(request: ScoreRequest, signal: AbortSignal): Promise<BackendScore>;
  /**
   * Scores synchronously. Only backends that compute within this process have this method. With it, a call is scored
   * before it is charged. No score is given away, because the caller gets it only after the charge.
   */
  scoreSync?(request: ScoreRequest): BackendScore;
}
