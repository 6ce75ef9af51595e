import { expect, it } from 'vitest';
import type { Round } from './run-rounds.ts';
import { tableOf } from './table.ts';

const round = (changes: Partial<Round>): Round => ({
  fault: 'switchover',
  calls: 100,
  acknowledged: 90,
  lost: 0,
  doubled: 0,
  outageMs: 2_600,
  backMs: 3_000,
  changes: 70,
  restarts: 0,
  unclean: [],
  wrong: [],
  ...changes,
});

it('sums up, keeps the longest outage, and says below what was wrong', () => {
  const text = tableOf([
    round({}),
    round({ fault: 'kill', lost: 2, outageMs: 21_040, wrong: ['gone'], unclean: ['503'] }),
  ]);

  expect(text.split('\n').slice(2)).toEqual([
    '| switchover | 100 | 90 | 0 | 0 | 2.6 s | 70 | 0 | 0 |',
    '| kill | 100 | 90 | 2 | 0 | 21.0 s | 70 | 0 | 1 |',
    '| **together** | 200 | 180 | 2 | 0 | 21.0 s | 140 | 0 | 1 |',
    '',
    '- 2 (kill): gone',
    '- 2 (kill): 503',
  ]);
});
