import { expect, it } from 'vitest';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { interleavings } from './interleavings.ts';
import { holds } from './run-in-suite.ts';

it('three requests with one key and the reaper charge at most once in any order of their statements', async () => {
  const figures = await holds(interleavings);

  expect(figures.schedules).toBe(interleavings.amount.suite);
  for (const word of ['settled', 'replay', 'idempotency_in_progress', 'scoring_failed'])
    expect(figures[word]).toBeGreaterThan(fewerUnlessNightly(10, 50));
});
