import { expect, it } from 'vitest';
import { cutPoints } from './cut-points.ts';
import { holds } from './run-in-suite.ts';

it('wherever the line to the database is cut, the call comes to one known end', async () => {
  const figures = await holds(cutPoints);

  expect(figures).toMatchObject({ lost: 0, doubled: 0 });
  expect(figures.cuts).toBeGreaterThan(300);
});
