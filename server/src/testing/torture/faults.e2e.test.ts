import { expect, it } from 'vitest';
import { cutPoints } from './cut-points.ts';
import { fullPool } from './full-pool.ts';
import { holds } from './run-in-suite.ts';
import { upstreamFaults } from './upstream-faults.ts';

it('whatever the scoring backend does, each of the six operations is uncharged and may be tried again', async () => {
  const figures = await holds(upstreamFaults);

  expect(figures).toMatchObject({ operations: 6 });
  expect(figures.faults).toBeGreaterThanOrEqual(22);
});

it('wherever the line to the database is cut, the call comes to one known end', async () => {
  const figures = await holds(cutPoints);

  expect(figures).toMatchObject({ lost: 0, doubled: 0 });
  expect(figures.cuts).toBeGreaterThan(300);
});

it('a process whose sessions are all stuck says so in time and recovers by itself', async () => {
  expect(await holds(fullPool)).toMatchObject({ refused: 30 });
});
