import { expect, it } from 'vitest';
import { interleavings } from './interleavings.ts';
import { holds } from './run-in-suite.ts';

it('two thousand orders of the statements of three same-key requests and the reaper charge once at most', async () => {
  const figures = await holds(interleavings);

  expect(figures.schedules).toBe(2_000);
  for (const word of ['settled', 'replay', 'idempotency_in_progress', 'scoring_failed'])
    expect(figures[word]).toBeGreaterThan(50);
});
