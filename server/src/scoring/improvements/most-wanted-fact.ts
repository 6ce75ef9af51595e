import { METHOD } from '../embedded/current-method.ts';
import { lacksPackage } from '../explanations/signal-labels.ts';
import type { Contribution } from '../scoring-backend.ts';

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

/** Strength of the prior in all methods: with this much evidence and full coverage, confidence is 50. */
const PRIOR_STRENGTH = 5;
/** Evidence per point of weight of a signal at full certainty, in all methods. */
const EVIDENCE_PER_WEIGHT = 0.3;

/**
 * Returns the missing fact that would add most confidence; null if none is missing. Confidence is evidence / (evidence
 * + prior), times the square root of the coverage. An observed fact raises both. Facts about a package are not named
 * where no package counts, because no reading brings them. Uses only the contributions of the score, so that it works
 * with any method.
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
    // One account of a creator, that on the repository host, is only a share of the evidence of all.
    const share = signal === 'creator_accounts' ? METHOD.provedAccounts.repoHost : 1;
    const known = evidence + EVIDENCE_PER_WEIGHT * weight * share;
    const after = (known / (known + PRIOR_STRENGTH)) * Math.sqrt((observed + weight) / applicable);
    const gain = Math.round(10 * (100 * after - confidence)) / 10;
    if (gain > 0 && gain > (wanted?.gain ?? 0)) wanted = { signal, gain };
  }
  return wanted;
}

/** Returns the units of evidence behind a confidence from 0 to 1. */
function evidenceOf(confidence: number, coverage: number): number {
  const share = coverage > 0 ? Math.min(0.99, confidence / Math.sqrt(coverage)) : 0;
  return (PRIOR_STRENGTH * share) / (1 - share);
}
