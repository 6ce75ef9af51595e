import { expect, it } from 'vitest';
import { NOW, repositoryFacts, scoreRequest, seen } from '../../../testing/scoring/golden-vectors.ts';
import { scoreByMethod } from '../embedded/embedded-backend.ts';
import { scoreBasisOf } from './score-basis.ts';

it('tells the state of a score and how many signals it rests on', () => {
  const facts = repositoryFacts({ verified: seen(false) });
  const score = scoreByMethod(scoreRequest(facts));

  const basis = scoreBasisOf({ ...score, facts, factsAt: NOW.toISOString() });

  expect(basis).toMatchObject({ state: 'little_evidence', known: 1 });
  expect(basis.text).toBe(`little evidence: 1 of ${basis.total} signals known`);
});
