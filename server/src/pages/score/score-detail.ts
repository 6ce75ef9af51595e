import type { Cap, Contribution, Facts, Tier } from '../../scoring/scoring-backend.ts';

/** A confirmed score with what it was made of. Moments are ISO 8601 with microseconds: the same text that the API gives. */
export interface ScoreDetail {
  trust: number;
  confidence: number;
  lowerBound: number;
  tier: Tier;
  status: string;
  /** Who made it: `embedded`, or a backend's host. */
  source: string;
  methodVersion: string | null;
  version: string;
  freshness: string;
  /** Weight observed of the weight that applies, 0 to 1; null where a backend does not tell. */
  coverage: number | null;
  contributions: Contribution[];
  caps: Cap[];
  /** What was known when the score was made; null where it was not kept. */
  facts: Facts | null;
  /** The moment that the facts are of; null where it was not kept. */
  factsAt: string | null;
  /** The database's time of reading: ages are counted to it. */
  readAt: string;
  /** Oldest first, ending with this score; a long history is thinned evenly. */
  history: PastScore[];
  /** How many scores the history holds in truth. */
  historyLength: number;
}

/** One version of a score. */
export interface PastScore {
  version: string;
  trust: number;
  confidence: number;
  lowerBound: number;
  /** Method and maker in one word or two: a change of it breaks the line. */
  method: string;
}
