import { describe, expect, it } from 'vitest';
import { scoringOrder } from './score-subjects.ts';

describe('scoringOrder', () => {
  it('puts parents before their children and keeps each generation in id order', () => {
    const parents = new Map([
      ['a', 'c'],
      ['c', 'b'],
      ['d', 'b'],
    ]);

    expect(scoringOrder(['d', 'c', 'b', 'a', 'e'], parents)).toEqual([['b', 'e'], ['c', 'd'], ['a']]);
  });

  it('scores each subject once, even when it is asked for twice', () => {
    expect(scoringOrder(['b', 'a', 'b'], new Map())).toEqual([['a', 'b']]);
  });

  it('ignores a parent that is not among the subjects', () => {
    expect(scoringOrder(['a'], new Map([['a', 'z']]))).toEqual([['a']]);
  });

  it('ends on a cycle', () => {
    const circle = new Map([
      ['a', 'b'],
      ['b', 'a'],
    ]);

    expect(scoringOrder(['a', 'b', 'c'], circle)).toEqual([['c'], ['a', 'b']]);
  });

  it('has nothing to order without subjects', () => {
    expect(scoringOrder([], new Map())).toEqual([]);
  });
});
