import { expect, it } from 'vitest';
import { interleavings } from './interleavings.ts';
import { holds } from './run-in-suite.ts';

it('three requests with one key and the reaper charge at most once in two thousand statement orders', async () => {
  const figures = await holds(interleavings);

  expect(figures.schedules).toBe(2_000);
  for (const word of ['settled', 'replay', 'idempotency_in_progress', 'scoring_failed'])
    expect(figures[word]).toBeGreaterThan(50);
});
