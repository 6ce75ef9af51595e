import type { CreatorFacts, Portfolio } from '../../src/scoring/fact-types.ts';
import { accounts, daysAgo, GOLDEN_VECTORS, observation } from './golden-vectors.ts';

/** Creates facts of a creator; those not given are unknown. */
export function creatorFacts(known: Partial<CreatorFacts> = {}): CreatorFacts {
  return { accounts: null, accountCreatedAt: null, portfolio: null, graphEquity: null, ...known };
}

/** Creates the portfolio of listings with this confidence and trust, in points of 100. */
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

/** Creates the portfolio of the published repository vectors with these letters. */
function portfolioOfVectors(letters: string): Portfolio {
  return portfolioOf(GOLDEN_VECTORS.filter(({ name: [letter = ''] }) => letters.includes(letter)));
}

function creator(bits: string, age: number, agents: string, equity: number): CreatorFacts {
  return creatorFacts({
    accounts: observation(accounts(bits)),
    accountCreatedAt: observation(daysAgo(age)),
    portfolio: portfolioOfVectors(agents),
    graphEquity: observation(equity),
  });
}

/** Published vectors of a creator: four proved accounts and three good agents; a newcomer with bought stars. */
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
