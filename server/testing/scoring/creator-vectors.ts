import type { CreatorFacts, Portfolio } from '../../src/scoring/facts/creator-facts.ts';
import { accounts, daysAgo, GOLDEN_VECTORS, seen } from './golden-vectors.ts';

/** Facts of a creator of whom nothing is known, but for what is given. */
export function creatorFacts(known: Partial<CreatorFacts> = {}): CreatorFacts {
  return { accounts: null, accountCreatedAt: null, portfolio: null, graphEquity: null, ...known };
}

/** The portfolio of listings with so much confidence and trust, in points of 100. */
export function portfolioOf(listings: readonly { confidence: number; trust: number }[]): Portfolio {
  const sum = (of: (each: { confidence: number; trust: number }) => number) =>
    listings.reduce((total, each) => total + of(each), 0);
  return {
    listings: listings.length,
    confidence: sum(({ confidence }) => confidence / 100),
    weightedTrust: sum(({ confidence, trust }) => (confidence / 100) * (trust / 100)),
    observedAt: daysAgo(0),
  };
}

/** The portfolio of the published repository vectors of these letters. */
function portfolioOfVectors(letters: string): Portfolio {
  return portfolioOf(GOLDEN_VECTORS.filter(({ name: [letter = ''] }) => letters.includes(letter)));
}

function creator(bits: string, age: number, agents: string, equity: number): CreatorFacts {
  return creatorFacts({
    accounts: seen(accounts(bits)),
    accountCreatedAt: seen(daysAgo(age)),
    portfolio: portfolioOfVectors(agents),
    graphEquity: seen(equity),
  });
}

/** The published vectors of a creator: four proved accounts and three good agents, then a newcomer with bought stars. */
export const CREATOR_VECTORS: readonly {
  name: string;
  facts: CreatorFacts;
  trust: number;
  confidence: number;
}[] = [
  {
    name: 'established creator',
    facts: creator('1111', 2500, 'ABC', 0.6),
    trust: 68.2,
    confidence: 75.5,
  },
  { name: 'new creator', facts: creator('1000', 20, 'D', 0), trust: 29.2, confidence: 57.9 },
];
