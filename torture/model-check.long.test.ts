import { expect, it } from 'vitest';
import { modelCheck } from './model-check.ts';
import { holds } from './run-in-suite.ts';

it('the ledger equals an in-memory model after two hundred random sequences of events', async () => {
  const figures = await holds(modelCheck);

  expect(figures.sequences).toBe(200);
  expect(figures.commands).toBeGreaterThan(4_000);
  for (const word of [
    'settled',
    'replay',
    'scoring_failed',
    'crash',
    'insufficient_credits',
    'key_revoked',
    'key_expired',
  ])
    expect(figures[`call: ${word}`]).toBeGreaterThan(10);
  for (const word of ['idempotency_in_progress', 'idempotency_key_reused'])
    expect(figures[`call: ${word}`]).toBeGreaterThan(10);
});
