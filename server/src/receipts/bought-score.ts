import type { Cap, Contribution, Facts, Tier } from '../scoring/scoring-backend.ts';

/** A score as it was when a call bought it. */
export interface BoughtScore {
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  contributions: Contribution[];
  caps: Cap[];
  facts: Facts | null;
  /** The moment that the facts are of; null where it was not kept. */
  factsAt: string | null;
  /** It is still the subject's current one. */
  isCurrent: boolean;
}
