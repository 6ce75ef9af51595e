import { expect, it } from 'vitest';
import {
  createStandIn,
  createStandInAtOnce,
  usableScore,
} from '../../../testing/stand-ins/stand-in-backend.ts';
import type { ScoreRequest } from '../scoring-backend.ts';
import { type BackendOutcome, watchedBackend } from './watched-backend.ts';

const request = { operation: 'agent_score', subject: { type: 'agent' } } as ScoreRequest;

it('a backend that scores at once does so when it is watched, and one that does not still does not', () => {
  const outcomes: BackendOutcome[] = [];
  const watch = () => (outcome: BackendOutcome) => void outcomes.push(outcome);

  const watched = watchedBackend(createStandInAtOnce(), watch);

  expect(watched.scoreAtOnce?.(request)).toEqual(usableScore(request));
  expect(outcomes).toEqual(['answered']);
  expect(watchedBackend(createStandIn(), watch).scoreAtOnce).toBeUndefined();
});

it('a score at once that fails is told of, and fails', () => {
  const outcomes: BackendOutcome[] = [];
  const failing = createStandInAtOnce(() => {
    throw new Error('no score');
  });

  const watched = watchedBackend(failing, () => (outcome) => void outcomes.push(outcome));

  expect(() => watched.scoreAtOnce?.(request)).toThrow('no score');
  expect(outcomes).toEqual(['failed']);
});
