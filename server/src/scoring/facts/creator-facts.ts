import type { CreatorAccounts, Observed } from './repository-facts.ts';

/**
 * The scores of the listings that count for a creator, lineage apart; `confidence` and trust `t` are shares from 0 to 1
 * here. A repository of another owner that the creator's account registered does not count.
 */
export interface Portfolio {
  /** Listings that count and have a confirmed score. */
  listings: number;
  /** Σ c over them. */
  confidence: number;
  /** Σ c·t over them. */
  weightedTrust: number;
  /** The oldest of the scores counted, ISO 8601 UTC. */
  observedAt: string;
}

/** All that is known of a creator. Null is unknown, never zero and never false. */
export interface CreatorFacts {
  accounts: Observed<CreatorAccounts> | null;
  accountCreatedAt: Observed<string> | null;
  /** Null where no listing that counts has a confirmed score. */
  portfolio: Portfolio | null;
  /** Standing among the creators who build on each other, 0 to 1, as the creator graph gives it. */
  graphEquity: Observed<number> | null;
}
