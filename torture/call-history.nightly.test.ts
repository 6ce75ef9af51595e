import { expect, it } from 'vitest';
import { callHistory } from './call-history.ts';
import { clientAborts } from './client-aborts.ts';
import { holds } from './run-in-suite.ts';

it('stores each receipt of many random calls over two processes once, in real-time order', async () => {
  const figures = await holds(callHistory);

  expect(figures).toMatchObject({ lost: 0, doubled: 0 });
  expect(figures.acknowledged).toBeGreaterThan(0.6 * callHistory.amount.suite);
  expect(figures.totalsRead).toBeGreaterThan(0.1 * callHistory.amount.suite);
});

it('clients that hang up: every run ends, and the retry finds what it charged', async () => {
  expect(await holds(clientAborts)).toMatchObject({ lost: 0, doubled: 0 });
});
