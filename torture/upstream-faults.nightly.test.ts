import { expect, it } from 'vitest';
import { holds } from './run-in-suite.ts';
import { upstreamFaults } from './upstream-faults.ts';

it('each of the six operations stays uncharged and can be retried, however the scoring backend fails', async () => {
  const figures = await holds(upstreamFaults);

  expect(figures).toMatchObject({ operations: 6 });
  expect(figures.faults).toBeGreaterThanOrEqual(22);
});
