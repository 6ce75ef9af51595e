import { expect, it } from 'vitest';
import {
  createStandIn,
  createSyncStandIn,
  usableScore,
} from '../../../testing/stand-ins/stand-in-backend.ts';
import type { Tracer } from '../../platform/telemetry/open-tracer.ts';
import type { ScoreRequest } from '../scoring-backend.ts';
import { type BackendOutcome, instrumentBackend, traceBackend } from './instrument-backend.ts';

const request = { operation: 'agent_score', subject: { type: 'agent' } } as ScoreRequest;

it('a watched backend scores synchronously exactly if the original does', () => {
  const outcomes: BackendOutcome[] = [];
  const watch = () => (outcome: BackendOutcome) => void outcomes.push(outcome);

  const watched = instrumentBackend(createSyncStandIn(), watch);

  expect(watched.scoreSync?.(request)).toEqual(usableScore(request));
  expect(outcomes).toEqual(['answered']);
  expect(instrumentBackend(createStandIn(), watch).scoreSync).toBeUndefined();
});

it('a failing synchronous score is reported, and fails', () => {
  const outcomes: BackendOutcome[] = [];
  const failing = createSyncStandIn(() => {
    throw new Error('no score');
  });

  const watched = instrumentBackend(failing, () => (outcome) => void outcomes.push(outcome));

  expect(() => watched.scoreSync?.(request)).toThrow('no score');
  expect(outcomes).toEqual(['failed']);
});

it('a traced backend answers at once where the backend does, and only there', () => {
  const tracer = {} as Tracer;

  expect(traceBackend(createSyncStandIn(), tracer).scoreSync).toBeTypeOf('function');
  expect(traceBackend(createStandIn(), tracer)).not.toHaveProperty('scoreSync');
});
