import { expect, it } from 'vitest';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { modelCheck } from './model-check.ts';
import { holds } from './run-in-suite.ts';

it('the ledger equals an in-memory model after random sequences of events', async () => {
  const figures = await holds(modelCheck);

  expect(figures.sequences).toBe(modelCheck.amount.suite);
  expect(figures.commands).toBeGreaterThan(20 * modelCheck.amount.suite);
  for (const word of [
    'settled',
    'replay',
    'scoring_failed',
    'crash',
    'insufficient_credits',
    'key_revoked',
    'key_expired',
    'idempotency_key_reused',
  ])
    expect(figures[`call: ${word}`]).toBeGreaterThan(10);
  // This outcome is the rarest: it occurs in about one of six sequences.
  expect(figures['call: idempotency_in_progress']).toBeGreaterThan(fewerUnlessNightly(0, 10));
});
