import { expect, it } from 'vitest';
import { NOW, observation, repositoryFacts, scoreRequest } from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import { scoreBasisOf } from './score-basis.ts';

it('returns the state of a score and the number of signals behind it', () => {
  const facts = repositoryFacts({ stars: observation(3) });
  const score = scoreByMethod(scoreRequest(facts));

  const basis = scoreBasisOf({ ...score, facts, factsAt: NOW.toISOString() });

  expect(basis).toMatchObject({ state: 'little_evidence', known: 1 });
  expect(basis.text).toBe(`little evidence: 1 of ${basis.total} signals known`);
});
