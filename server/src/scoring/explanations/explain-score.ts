import type { Connection } from '../../platform/database/connect.ts';
import { fadedEvidenceOf, frameOf, priorPoints } from '../embedded/compute-score.ts';
import { METHOD, METHODS, type Method } from '../embedded/current-method.ts';
import type { Facts } from '../fact-types.ts';
import { findVerdictInput } from '../scores/score.queries.ts';
import type { Cap, Contribution } from '../scoring-backend.ts';
import type { SubjectType } from '../subject-type.ts';
import { type VerdictInput, type VerdictState, verdictOf } from '../verdict/verdict.ts';
import { describeObserved, lacksPackage, signalLabel } from './signal-labels.ts';

/** A stored score with the fields from which it is explained. */
export interface ExplainableScore {
  type: SubjectType;
  trust: number;
  confidence: number;
  /** Backend that made the score: `embedded`, or the host of a remote backend. */
  source: string;
  methodVersion: string | null;
  coverage: number | null;
  contributions: readonly Contribution[];
  caps: readonly Cap[];
  /** Facts that the score was computed from; null if they are not stored. */
  facts: Facts | null;
  /** Time of the facts; null if they are not stored. */
  factsAt: string | null;
}

/** One signal of a score, with its parts of trust and confidence. */
export interface ExplainedSignal extends Contribution {
  /** Label in words; null for a signal that only a remote backend uses. */
  label: string | null;
  /** Observed value in words, such as `1,240`; null if nothing was observed or the stored facts lack it. */
  found: string | null;
  /** Evidence after the decay by the observation's age; null if the confidence cannot be explained. */
  fadedEvidence: number | null;
  /** Part of the confidence, in points; null if the confidence cannot be explained. */
  confidencePoints: number | null;
}

/**
 * `full`: the points of the signals and the prior add up to the trust before caps, within 0.1. `partial`: they do not.
 * `none`: the backend named no signals.
 */
type ExplanationExtent = 'full' | 'partial' | 'none';

/** A score as the sum of its parts: `sum of points + prior + unexplained = raw`, and the caps lower `raw` to trust. */
export interface Explanation {
  extent: ExplanationExtent;
  signals: readonly ExplainedSignal[];
  /** Points of the prior, the trust without any evidence; null without signals, or if the method is not one of ours. */
  prior: number | null;
  /** Trust before any cap lowers it. */
  raw: number;
  /** Points of the raw trust that neither signals nor prior account for. */
  unexplained: number;
  /** Quantities from which the confidence is computed; null if our methods' formula does not give it. */
  confidence: ExplainedConfidence | null;
}

/** Confidence is `100 × evidence / (evidence + priorStrength) × √coverage`. */
interface ExplainedConfidence {
  /** Sum of the evidence after the decay of the observations. */
  evidence: number;
  priorStrength: number;
  coverage: number;
}

/** Maximum difference between the sum of the parts and the score, because stored figures are rounded. */
export const EXPLAINED_WITHIN = 0.1;
// Tolerance for floating-point errors, because a difference of exactly 0.1 may be computed as slightly more.
const ROUNDING = 1e-9;

/** Explains a score by its stored contributions and caps, without scoring its facts again. */
export function explainScore(score: ExplainableScore): Explanation {
  const method = methodOf(score.methodVersion);
  const raw = score.caps[0]?.raw ?? score.trust;
  const isNamed = score.contributions.length > 0;
  const prior = method === null || !isNamed ? null : priorPoints(score.contributions);
  const points = score.contributions.reduce((sum, { points }) => sum + points, prior ?? 0);
  const unexplained = raw - points;
  const isFull = Math.abs(unexplained) <= EXPLAINED_WITHIN + ROUNDING;
  const confidence = method === null || !isNamed ? null : explainConfidence(score, method);
  return {
    extent: isNamed ? (isFull ? 'full' : 'partial') : 'none',
    signals: score.contributions.map((contribution) => ({
      ...contribution,
      label: signalLabel(contribution.signal),
      found: contribution.status === 'observed' ? describeObserved(contribution.signal, score.facts) : null,
      fadedEvidence: confidence?.faded(contribution) ?? null,
      confidencePoints: confidence?.pointsOf(contribution) ?? null,
    })),
    prior,
    raw,
    unexplained,
    confidence: confidence?.total ?? null,
  };
}

/** Returns the published method of this version; null for a method of a remote backend. */
export function methodOf(version: string | null): Method | null {
  return METHODS.find((method) => method.version === version) ?? null;
}

/**
 * Splits the confidence by the faded evidence of each signal. Returns null if the formula of our methods does not
 * result in the stored confidence: a remote backend may use the name of one of our methods but compute differently.
 */
function explainConfidence(score: ExplainableScore, method: Method) {
  const { type, coverage, factsAt, contributions, confidence } = score;
  if (coverage === null || factsAt === null) return null;
  const frame = frameOf(method, type);
  const at = new Date(factsAt);
  const faded = (contribution: Contribution) =>
    contribution.status === 'observed' ? fadedEvidenceOf(contribution, at, frame) : 0;
  const evidence = contributions.reduce((sum, contribution) => sum + faded(contribution), 0);
  const priorStrength = METHOD.prior.strength;
  const computed = 100 * (evidence / (evidence + priorStrength)) * Math.sqrt(coverage);
  if (Math.abs(computed - confidence) > EXPLAINED_WITHIN + ROUNDING) return null;
  return {
    total: { evidence, priorStrength, coverage },
    faded,
    pointsOf: (contribution: Contribution) =>
      evidence > 0 ? (confidence * faded(contribution)) / evidence : 0,
  };
}

/** Extent of the evidence behind a score, shown before a caller pays for the score. */
export interface ScoreBasis {
  readonly state: VerdictState;
  /** Number of observed signals, and of signals that apply. Both are 0 if the backend reports no signals. */
  readonly known: number;
  readonly total: number;
  readonly confidence: number;
  /** Example: "little evidence: 1 of 9 signals known". */
  readonly text: string;
}

const STATES: Readonly<Record<VerdictState, string>> = {
  verified: 'verified',
  well_evidenced: 'well evidenced',
  little_evidence: 'little evidence',
  warning: 'warning',
};

/** Loads the basis of a subject's current score; null if the subject has no score. */
export async function loadScoreBasis(connection: Connection, subjectId: string): Promise<ScoreBasis | null> {
  const score = await findVerdictInput(connection, subjectId);
  return score ? scoreBasisOf(score) : null;
}

/** Counts the signals behind a score and summarises them in words. */
export function scoreBasisOf(score: VerdictInput): ScoreBasis {
  const { state } = verdictOf(score);
  const applying = score.contributions.filter(({ status }) => status !== 'not_applicable');
  const known = applying.filter(({ status }) => status === 'observed').length;
  const total = applying.length;
  const signals = total === 0 ? 'its backend names no signals' : `${known} of ${total} signals known`;
  return { state, known, total, confidence: score.confidence, text: `${STATES[state]}: ${signals}` };
}

/** Fields of a score that determine which missing fact would add most confidence. */
export interface KnownEvidence {
  confidence: number;
  contributions: readonly Contribution[];
}

/** A missing fact, with the confidence that the score would gain if the fact were observed. */
export interface WantedFact {
  /** Signal that has no value because the fact is missing. */
  signal: string;
  /** Points of confidence that the fact would add, with one decimal; always above 0. */
  gain: number;
}

/**
 * Returns the missing fact that would add most confidence; null if none would add any. Confidence is evidence /
 * (evidence + prior), times the square root of the coverage, and an observed fact raises both. Skips facts about a
 * package if no package counts as the repository's own, because no reading can supply them. Uses the weights of the
 * score's contributions and constants of the current method, so the gain is an estimate for scores of other methods.
 */
export function mostWantedFact({ confidence, contributions }: KnownEvidence): WantedFact | null {
  const applying = contributions.filter(({ status }) => status !== 'not_applicable');
  const weightOf = (those: readonly Contribution[]) => those.reduce((sum, { weight }) => sum + weight, 0);
  const applicable = weightOf(applying);
  const observed = weightOf(applying.filter(({ status }) => status === 'observed'));
  if (applicable <= 0) return null;
  const evidence = evidenceOf(confidence / 100, observed / applicable);
  let wanted: WantedFact | null = null;
  for (const { signal, status, weight } of applying) {
    if (status !== 'missing' || lacksPackage(signal, applying)) continue;
    const known = evidence + (EVIDENCE[signal] ?? METHOD.repository.evidencePerWeight * weight);
    const after = (known / (known + METHOD.prior.strength)) * Math.sqrt((observed + weight) / applicable);
    const gain = Math.round(10 * (100 * after - confidence)) / 10;
    if (gain > 0 && gain > (wanted?.gain ?? 0)) wanted = { signal, gain };
  }
  return wanted;
}

/**
 * Units of evidence that a missing fact would add, for signals whose evidence does not follow from their weight. Assumes
 * that only the account on the repository host becomes known, that accounts are old, and that one listing is scored.
 */
const EVIDENCE: Readonly<Record<string, number>> = evidenceOfFacts(METHOD);

function evidenceOfFacts({ provedAccounts: { repoHost }, repository, creator, account }: typeof METHOD) {
  const { verified_accounts: accounts } = creator;
  const { verified_mark, account_age, audience, engagement, recency, cross_link } = account;
  return {
    creator_accounts: repository.evidencePerWeight * repository.creator_accounts.weight * repoHost,
    verified_accounts: accounts.evidence.base + accounts.evidence.share * repoHost,
    account_age: account_age.evidence,
    portfolio: 1,
    graph_equity: creator.graph_equity.evidence,
    verified_mark: verified_mark.evidence.marked,
    audience: audience.evidence,
    engagement: engagement.evidence,
    recency: recency.evidence,
    cross_link: cross_link.evidence.base + cross_link.evidence.share,
  };
}

/** Returns the units of evidence behind a confidence from 0 to 1. */
function evidenceOf(confidence: number, coverage: number): number {
  const share = coverage > 0 ? Math.min(0.99, confidence / Math.sqrt(coverage)) : 0;
  return (METHOD.prior.strength * share) / (1 - share);
}
