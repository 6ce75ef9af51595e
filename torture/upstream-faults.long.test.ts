import { expect, it } from 'vitest';
import { holds } from './run-in-suite.ts';
import { upstreamFaults } from './upstream-faults.ts';

it('whatever the scoring backend does, each of the six operations is uncharged and may be tried again', async () => {
  const figures = await holds(upstreamFaults);

  expect(figures).toMatchObject({ operations: 6 });
  expect(figures.faults).toBeGreaterThanOrEqual(22);
});
