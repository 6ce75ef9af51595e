import type { Observed } from '../fact-types.ts';

const DAY_MS = 86_400_000;

/** Computes the method's function L: logarithmic saturation, 0 at amount 0, and 1 from the amount `full` on. */
export function saturation(amount: number, full: number): number {
  return Math.min(1, Math.log1p(amount) / Math.log1p(full));
}

/** Computes the method's function D: decay from 1, halved every `halfLife` days. */
export function decay(days: number, halfLife: number): number {
  return 2 ** (-days / halfLife);
}

/** Computes the method's function G: growth from 0 towards 1, one half after `halfLife` days. */
export function growth(days: number, halfLife: number): number {
  return 1 - decay(days, halfLife);
}

/** Returns the days from an ISO 8601 time to `now`. Returns 0 for a future time, which comes from a wrong clock. */
export function daysSince(moment: string, now: Date): number {
  return Math.max(0, (now.getTime() - Date.parse(moment)) / DAY_MS);
}

/** Rounds to a number of decimals, half up. */
export function round(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}

/** Result of one signal: a value in [0, 1] with its amount of evidence, or the reason why there is no value. */
export type Reading = (ObservedValue & Evidence) | Unobserved;

interface Evidence {
  evidence: number;
  /** Days after which the evidence of the observation is halved; the method's usual half-life if left out. */
  observationHalfLife?: number;
}

/** Reading of a signal without its evidence, which the method computes from the value. */
export type ValueReading = ObservedValue | Unobserved;

/** An observed value. `observedAt` is null if the fact is a date that cannot change, such as a creation date. */
interface ObservedValue {
  status: 'observed';
  value: number;
  observedAt: string | null;
  source: string;
}

interface Unobserved {
  status: 'missing' | 'not_applicable';
  reason: string;
}

/** A signal with its weight and its reading. */
export interface Signal {
  name: string;
  weight: number;
  reading: Reading;
}

/** Creates a reading from a fact, with the time and source of the fact's observation. */
export function observed(
  { observedAt, source }: Pick<Observed<unknown>, 'observedAt' | 'source'>,
  value: number,
  evidence: number,
): Reading {
  return { status: 'observed', value, evidence, observedAt, source };
}

/** Creates a reading without evidence from a fact, with the time and source of the fact's observation. */
export function valued(
  { observedAt, source }: { observedAt: string | null; source: string },
  value: number,
): ValueReading {
  return { status: 'observed', value, observedAt, source };
}

/**
 * Creates a reading for an unknown fact. The signal then has no value: trust stays nearer to the prior, and coverage
 * and confidence are lower.
 */
export function missing(reason: string): Unobserved {
  return { status: 'missing', reason };
}

/** Creates a reading for a signal that does not apply to the subject. Its weight is left out of the coverage. */
export function notApplicable(reason: string): Unobserved {
  return { status: 'not_applicable', reason };
}
