import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  accountFacts,
  creatorFacts,
  NUM_RUNS,
  repositoryFacts,
} from '../../../testing/scoring/arbitrary-facts.ts';
import { scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import type { Facts } from '../fact-types.ts';
import { acceptScore, ScoreRejected } from '../scores/accept-score.ts';
import type { BackendScore, ScoreRequest } from '../scoring-backend.ts';
import type { SubjectType } from '../subject-type.ts';
import { priorPoints } from './compute-score.ts';
import { METHODS } from './current-method.ts';
import { scoreByMethod } from './embedded-backend.ts';

const types: [SubjectType, fc.Arbitrary<Facts>][] = [
  ['agent', repositoryFacts],
  ['skill', repositoryFacts],
  ['creator', creatorFacts],
  ['social_account', accountFacts],
  ['messaging_account', accountFacts],
];

/** Expects every number within 0 and 100, and no double zero. */
function expectWithinBounds({ trust, confidence, lowerBound, ownTrust, ownConfidence }: BackendScore): void {
  for (const number of [trust, confidence, lowerBound, ownTrust, ownConfidence]) {
    expect(number).toBeGreaterThanOrEqual(0);
    expect(number).toBeLessThanOrEqual(100);
  }
  expect(lowerBound).toBeLessThanOrEqual(trust);
  expect(trust).toBeGreaterThan(0);
}

/** Expects that the points and the prior add up to the raw trust. */
function expectExplained({ trust, caps, contributions }: BackendScore): void {
  const explained = contributions.reduce((sum, { points }) => sum + points, priorPoints(contributions));

  expect(Math.abs(explained - (caps[0]?.raw ?? trust))).toBeLessThanOrEqual(0.1);
}

function expectAcceptedIfComplete(score: BackendScore, request: ScoreRequest): void {
  if (score.status === 'incomplete') {
    expect(() => acceptScore(score, request, 'embedded')).toThrow(ScoreRejected);
    return;
  }
  const { trust, tier } = score;
  expect(acceptScore(score, request, 'embedded').record).toMatchObject({ trust, tier });
}

describe.each(types)('for any facts of a subject of type %s', (type, facts) => {
  it('is within its bounds, explained by its points, and accepted unless its evidence is incomplete', () => {
    fc.assert(
      fc.property(facts, (any) => {
        const request = scoreRequest(any, type);
        for (const method of METHODS) {
          const score = scoreByMethod(request, method);

          expectWithinBounds(score);
          expectExplained(score);
          expectAcceptedIfComplete(score, request);
        }
      }),
      { numRuns: NUM_RUNS },
    );
  });
});
