import type { Cap, Contribution, ScoreStatus, Tier } from '../scoring-backend.ts';
import type { SubjectType } from '../subject-type.ts';
import { METHOD, type Method } from './current-method.ts';
import { RS_1_0_0 } from './method-rs-1.0.0.ts';
import type { Signal } from './signal-reading.ts';
import { daysSince, decay, round } from './signal-reading.ts';

/** A cap that applies to the subject, even if the trust is already below the cap's limit. */
export interface ActiveCap {
  cap: string;
  limit: number;
}

/** Score computed from signals, for all subject types. `exactTrust` is not rounded. */
export interface ComputedScore {
  exactTrust: number;
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  status: ScoreStatus;
  coverage: number;
  freshness: string;
  contributions: Contribution[];
  caps: Cap[];
}

/** Settings of the computation that differ between methods. */
export interface ScoreFrame {
  /**
   * Quantity by which the observed values are weighted in the mean. With `evidence`, an observation always moves trust
   * towards the observed value. Trust with an unknown fact is therefore between the trust with the fact's worst value
   * and the trust with its best value. `evidence` means the evidence after its decay by the observation's age: trust,
   * confidence and lower bound then describe the same distribution, and an old observation counts less and less.
   */
  readonly meanBy: 'weight' | 'evidence';
  /** Half-life of the evidence of an observation, in days. With `meanBy: 'weight'`, it does not affect trust. */
  readonly observationHalfLife: number;
  readonly coverage: { readonly complete: number; readonly partial: number };
}

/** Settings of rs-1.0.0 for all subjects, and of every method for creators and accounts. */
const WEIGHTED_FRAME: ScoreFrame = {
  meanBy: 'weight',
  observationHalfLife: RS_1_0_0.observationHalfLife,
  coverage: RS_1_0_0.coverage,
};

/** Returns the settings with which a method scores subjects of a type. */
export function frameOf({ repository }: Method, type: SubjectType): ScoreFrame {
  const isListed = type === 'agent' || type === 'skill';
  return isListed && 'frame' in repository ? repository.frame : WEIGHTED_FRAME;
}

interface Weighed {
  rawTrust: number;
  coverage: number;
  /** Divisor of the mean: sum of the observed signals' weights, or of their evidence with `meanBy: 'evidence'`. */
  counted: number;
  /** Evidence from which trust is computed. */
  evidence: number;
  /** Evidence after the decay by the observations' age, from which confidence and the lower bound are computed. */
  fadedEvidence: number;
}

/**
 * Scores any subject from its signals, as the posterior mean of a Beta distribution with the method's prior. A missing
 * signal never counts as zero: trust stays nearer to the prior, and confidence is lower.
 */
export function computeScore(
  signals: readonly Signal[],
  limits: readonly ActiveCap[],
  now: Date,
  frame: ScoreFrame = WEIGHTED_FRAME,
): ComputedScore {
  const weighed = weigh(signals, now, frame);
  const exactTrust = limits.reduce((trust, { limit }) => Math.min(trust, limit), weighed.rawTrust);
  const trust = round(exactTrust, 1);
  const lowerBound = round(lowerBoundOf(exactTrust, weighed.fadedEvidence), 1);
  const { strength } = METHOD.prior;
  const known = weighed.fadedEvidence / (weighed.fadedEvidence + strength);
  return {
    exactTrust,
    trust,
    confidence: round(100 * known * Math.sqrt(weighed.coverage), 1),
    lowerBound,
    tier: tierOf(lowerBound),
    status: statusOf(weighed.coverage, frame),
    coverage: round(weighed.coverage, 4),
    freshness: oldestObservation(signals) ?? now.toISOString(),
    contributions: signals.map((signal) => contributionOf(signal, weighed, now, frame)),
    caps: limits
      .filter(({ limit }) => limit < weighed.rawTrust)
      .map(({ cap, limit }) => ({ cap, limit, raw: round(weighed.rawTrust, 1), final: trust })),
  };
}

/** Returns the tier for a lower bound of trust. */
export function tierOf(lowerBound: number): Tier {
  if (lowerBound >= METHOD.tiers.high) return 'high';
  return lowerBound >= METHOD.tiers.medium ? 'medium' : 'low';
}

/**
 * Computes the method's value LB, 0 to 100: the one-sided 95% lower bound of trust for this amount of evidence.
 */
export function lowerBoundOf(trust: number, evidence: number): number {
  const share = trust / 100;
  const spread = Math.sqrt((share * (1 - share)) / (evidence + METHOD.prior.strength + 1));
  return 100 * Math.max(0, share - METHOD.lowerBoundZ * spread);
}

/**
 * Returns the prior's share of the raw trust, in points. The raw trust is the sum of these points and those of all
 * contributions.
 */
export function priorPoints(contributions: readonly Contribution[]): number {
  const { strength, mean } = METHOD.prior;
  const evidence = contributions.reduce((sum, contribution) => sum + contribution.evidence, 0);
  return (100 * strength * mean) / (strength + evidence);
}

function weigh(signals: readonly Signal[], now: Date, frame: ScoreFrame): Weighed {
  let applicableWeight = 0;
  let observedWeight = 0;
  let counted = 0;
  let weightedValue = 0;
  let evidence = 0;
  let fadedEvidence = 0;
  for (const { weight, reading } of signals) {
    if (reading.status === 'not_applicable') continue;
    applicableWeight += weight;
    if (reading.status !== 'observed') continue;
    const own = evidenceOfTrust(reading, now, frame);
    const counts = countsFor(weight, own, frame);
    observedWeight += weight;
    counted += counts;
    weightedValue += counts * reading.value;
    evidence += own;
    fadedEvidence += decayedEvidence(reading, now, frame);
  }
  const { strength, mean } = METHOD.prior;
  const observedMean = counted > 0 ? weightedValue / counted : 0;
  return {
    rawTrust: (100 * (strength * mean + evidence * observedMean)) / (strength + evidence),
    coverage: applicableWeight > 0 ? observedWeight / applicableWeight : 0,
    counted,
    evidence,
    fadedEvidence,
  };
}

/** Returns the evidence with which an observation counts in trust. */
function evidenceOfTrust(reading: Aging, now: Date, frame: ScoreFrame): number {
  return frame.meanBy === 'weight' ? reading.evidence : decayedEvidence(reading, now, frame);
}

type Aging = Pick<Contribution, 'evidence' | 'observedAt'> & { readonly observationHalfLife?: number };

/**
 * Returns the evidence of an observation, decayed by the observation's age. The observation of a date that cannot change
 * (`observedAt` is null) does not decay. With `meanBy: 'evidence'`, the age is in whole days: otherwise the contributions
 * would change every few seconds, and nearly every score would store evidence of its own.
 */
function decayedEvidence(
  { evidence, observedAt, observationHalfLife }: Aging,
  now: Date,
  { meanBy, observationHalfLife: usual }: ScoreFrame,
) {
  const days = observedAt === null ? 0 : daysSince(observedAt, now);
  return evidence * decay(meanBy === 'weight' ? days : Math.floor(days), observationHalfLife ?? usual);
}

/**
 * Returns the evidence with which a contribution of a stored score counts in confidence. `now` is the time of the score.
 * With `meanBy: 'evidence'`, the stored evidence has already decayed.
 */
export function fadedEvidenceOf(contribution: Aging, now: Date, frame: ScoreFrame): number {
  return frame.meanBy === 'evidence' ? contribution.evidence : decayedEvidence(contribution, now, frame);
}

function countsFor(weight: number, evidence: number, { meanBy }: ScoreFrame): number {
  return meanBy === 'weight' ? weight : evidence;
}

function statusOf(coverage: number, frame: ScoreFrame): ScoreStatus {
  if (coverage >= frame.coverage.complete) return 'complete';
  return coverage >= frame.coverage.partial ? 'partial' : 'incomplete';
}

function oldestObservation(signals: readonly Signal[]): string | null {
  let oldest: string | null = null;
  for (const { reading } of signals) {
    if (reading.status !== 'observed' || reading.observedAt === null) continue;
    if (oldest === null || Date.parse(reading.observedAt) < Date.parse(oldest)) oldest = reading.observedAt;
  }
  return oldest;
}

// Rounds to four decimals, so that the sum of twenty contributions matches the raw trust within 0.1.
function contributionOf(
  { name, weight, reading }: Signal,
  weighed: Weighed,
  now: Date,
  frame: ScoreFrame,
): Contribution {
  if (reading.status !== 'observed') {
    const nothing = { value: null, points: 0, evidence: 0, source: null, observedAt: null };
    return { signal: name, weight, ...nothing, status: reading.status, reason: reading.reason };
  }
  const evidence = evidenceOfTrust(reading, now, frame);
  const counts = countsFor(weight, evidence, frame);
  const share = weighed.counted > 0 ? (counts * reading.value) / weighed.counted : 0;
  return {
    signal: name,
    value: round(reading.value, 4),
    weight,
    points: round((100 * weighed.evidence * share) / (METHOD.prior.strength + weighed.evidence), 4),
    evidence: round(evidence, 4),
    status: 'observed',
    source: reading.source,
    observedAt: reading.observedAt,
    reason: null,
  };
}
