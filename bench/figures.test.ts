import { describe, expect, it } from 'vitest';
import { duration, figuresOf, middle, percentile, rate } from './figures.ts';

describe('a percentile', () => {
  it.each([
    [0.5, 50],
    [0.95, 95],
    [1, 100],
    [0, 1],
  ])('of %d is the value that so much of them reach at most', (share, expected) => {
    const values = Array.from({ length: 100 }, (_, place) => 100 - place);

    expect(percentile(values, share)).toBe(expected);
  });

  it('counts by value, not as text, and leaves the values in their order', () => {
    const values = [100, 9, 20];

    expect(middle(values)).toBe(20);
    expect(values).toEqual([100, 9, 20]);
  });

  it('of no values is an error and not a number', () => {
    expect(() => percentile([], 0.5)).toThrow('no values');
  });
});

it('tells a rate, a mean and what one call in twenty exceeds', () => {
  const times = [...Array<number>(19).fill(1), 21];

  expect(figuresOf(times, 4)).toEqual({ count: 20, perSecond: 5, mean: 2, median: 1, p95: 1 });
});

it('writes values so that they can be read', () => {
  expect([0.234, 12.34, 345.6, 9_999, 12_345].map(duration)).toEqual([
    '0.23 ms',
    '12.3 ms',
    '346 ms',
    '9999 ms',
    '12.3 s',
  ]);
  expect(rate(19_642.4)).toBe('19,642/s');
});
