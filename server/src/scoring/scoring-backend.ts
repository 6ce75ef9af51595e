import type { SubjectType } from '../subjects/subject-type.ts';
import type { AccountFacts } from './facts/account-facts.ts';
import type { CreatorFacts } from './facts/creator-facts.ts';
import type { RepositoryFacts } from './facts/repository-facts.ts';

/** What is known of a subject: of an agent or skill, of a creator, or of a social or messaging account. */
export type Facts = RepositoryFacts | CreatorFacts | AccountFacts;

/** The subject of a score, as the registry knows it. */
export interface ScoreSubject {
  id: string;
  type: SubjectType;
  name: string;
  repository: string | null;
}

/** What a backend is asked. `runId` is the receipt's id and the idempotency key of the run; null outside of a run. */
export interface ScoreRequest {
  operation: string;
  runId: string | null;
  subject: ScoreSubject;
  /** Of the kind that fits `subject.type`: no type is scored from the facts of another. */
  facts: Facts;
  /** The database's time: ages are counted to it, so that a score can be made again from its inputs. */
  now: Date;
}

export type ScoreStatus = 'complete' | 'partial' | 'incomplete';
export type Tier = 'high' | 'medium' | 'low';

/** What one signal gave. Points are its part of the raw trust; `evidence` is its mass before our observation faded. */
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

/** A limit that lowered trust. `final` is the trust after all caps. */
export interface Cap {
  cap: string;
  limit: number;
  raw: number;
  final: number;
}

/** A backend's answer. Trust, confidence and lower bound are 0 to 100; `own…` are without the lineage signal. */
export interface BackendScore {
  subjectType: SubjectType;
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  ownTrust: number;
  ownConfidence: number;
  status: ScoreStatus;
  /** The oldest observation used, ISO 8601 UTC. */
  freshness: string;
  coverage: number;
  methodVersion: string;
  inputsHash: string;
  contributions: Contribution[];
  caps: Cap[];
}

/** What makes scores. Its answer is untrusted until `acceptScore` has passed it. */
export interface ScoringBackend {
  /** `embedded`, or the backend's host. */
  readonly source: string;
  score(request: ScoreRequest, signal: AbortSignal): Promise<BackendScore>;
  /**
   * The same, where it is this process alone that works it out, at once: a call may then be scored before it is charged, since
   * nothing of it is seen until it is.
   */
  scoreAtOnce?(request: ScoreRequest): BackendScore;
}
