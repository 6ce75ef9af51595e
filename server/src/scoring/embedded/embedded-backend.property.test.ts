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
import type { SubjectType } from '../subject-type.ts';
import { priorPoints } from './compute-score.ts';
import { scoreByMethod } from './embedded-backend.ts';

const types: [SubjectType, fc.Arbitrary<Facts>][] = [
  ['agent', repositoryFacts],
  ['skill', repositoryFacts],
  ['creator', creatorFacts],
  ['social_account', accountFacts],
  ['messaging_account', accountFacts],
];

describe.each(types)('for any facts of a subject of type %s', (type, facts) => {
  it('keeps every number within 0 and 100, and is never a double zero', () => {
    fc.assert(
      fc.property(facts, (any) => {
        const score = scoreByMethod(scoreRequest(any, type));

        const { trust, confidence, lowerBound, ownTrust, ownConfidence } = score;
        for (const number of [trust, confidence, lowerBound, ownTrust, ownConfidence]) {
          expect(number).toBeGreaterThanOrEqual(0);
          expect(number).toBeLessThanOrEqual(100);
        }
        expect(lowerBound).toBeLessThanOrEqual(trust);
        expect(trust).toBeGreaterThan(0);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('explains the raw trust by its points and the prior', () => {
    fc.assert(
      fc.property(facts, (any) => {
        const { trust, caps, contributions } = scoreByMethod(scoreRequest(any, type));

        const explained = contributions.reduce((sum, { points }) => sum + points, priorPoints(contributions));

        expect(Math.abs(explained - (caps[0]?.raw ?? trust))).toBeLessThanOrEqual(0.1);
      }),
      { numRuns: NUM_RUNS },
    );
  });

  it('is accepted unless its evidence is incomplete', () => {
    fc.assert(
      fc.property(facts, (any) => {
        const request = scoreRequest(any, type);
        const reply = scoreByMethod(request);

        if (reply.status === 'incomplete')
          expect(() => acceptScore(reply, request, 'embedded')).toThrow(ScoreRejected);
        else
          expect(acceptScore(reply, request, 'embedded').record).toMatchObject({
            trust: reply.trust,
            tier: reply.tier,
          });
      }),
      { numRuns: NUM_RUNS },
    );
  });
});
