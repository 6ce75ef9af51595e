import { expect, it } from 'vitest';
import { fewerUnlessNightly } from '../server/testing/nightly.ts';
import { cutPoints } from './cut-points.ts';
import { holds } from './run-in-suite.ts';

it('a call has one known outcome wherever the database connection is cut', async () => {
  const figures = await holds(cutPoints);

  expect(figures).toMatchObject({ lost: 0, doubled: 0 });
  expect(figures.cuts).toBeGreaterThan(fewerUnlessNightly(60, 300));
});
