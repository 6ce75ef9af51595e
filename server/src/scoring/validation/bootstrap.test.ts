import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrapByCluster, countClusters, intervalOfShare, quantile, randomNumbers } from './bootstrap.ts';

interface Row {
  value: number;
  cluster: string;
}

const meanOf = (sample: readonly Row[]) => sample.reduce((sum, { value }) => sum + value, 0) / sample.length;

const rows = fc.array(
  fc.record({ value: fc.integer({ min: 0, max: 100 }), cluster: fc.constantFrom('a', 'b', 'c', 'd') }),
  {
    minLength: 1,
  },
);

describe('an interval by resampled clusters', () => {
  it('is reproducible, and differs with another seed', () => {
    const any = Array.from({ length: 40 }, (_, index) => ({ value: index, cluster: `${index}` }));

    const first = bootstrapByCluster(any, meanOf, { seed: 1 });

    expect(bootstrapByCluster(any, meanOf, { seed: 1 })).toEqual(first);
    expect(bootstrapByCluster(any, meanOf, { seed: 2 })).not.toEqual(first);
  });

  it('contains the mean of many rows, and is about as wide as the theory says', () => {
    const any = Array.from({ length: 400 }, (_, index) => ({ value: index % 2, cluster: `${index}` }));

    const { low, high } = bootstrapByCluster(any, meanOf) ?? { low: Number.NaN, high: Number.NaN };

    // The standard error of a share of one half in 400 rows is 0.025, so the interval is about 0.45 to 0.55.
    expect(low).toBeGreaterThan(0.43);
    expect(low).toBeLessThan(0.47);
    expect(high).toBeGreaterThan(0.53);
    expect(high).toBeLessThan(0.57);
  });

  it('draws whole clusters: rows that belong together add no certainty', () => {
    const copies = (cluster: (index: number) => string) =>
      Array.from({ length: 400 }, (_, index) => ({ value: index % 2, cluster: cluster(index) }));
    const widthOf = (any: Row[]) => {
      const interval = bootstrapByCluster(any, meanOf);
      return interval === null ? Number.NaN : interval.high - interval.low;
    };

    const independent = widthOf(copies((index) => `${index}`));
    const inTen = widthOf(copies((index) => `${index % 10}`));

    expect(inTen).toBeGreaterThan(3 * independent);
  });

  it('does not exist without rows, or if the statistic has no value in too many rounds', () => {
    const one = [{ value: 1, cluster: 'a' }];

    expect(bootstrapByCluster<Row>([], meanOf)).toBeNull();
    expect(bootstrapByCluster(one, () => null)).toBeNull();
    expect(bootstrapByCluster(one, meanOf)).toEqual({ low: 1, high: 1 });
  });

  it('stays within the values of the rows, in order', () => {
    fc.assert(
      fc.property(rows, fc.integer(), (any, seed) => {
        const { low, high } = bootstrapByCluster(any, meanOf, { seed, rounds: 50 }) ?? { low: 1, high: 0 };
        const values = any.map(({ value }) => value);

        expect(low).toBeLessThanOrEqual(high);
        expect(low).toBeGreaterThanOrEqual(Math.min(...values));
        expect(high).toBeLessThanOrEqual(Math.max(...values));
      }),
    );
  });

  it('counts each cluster once', () => {
    expect(countClusters([{ cluster: 'a' }, { cluster: 'b' }, { cluster: 'a' }])).toBe(2);
  });
});

describe('the interval of a share', () => {
  const rowsOf = (values: readonly number[]) =>
    values.map((value, index) => ({ value, cluster: `${index}` }));
  const isOne = ({ value }: Row) => value === 1;

  it('is resampled if the rows differ', () => {
    const any = rowsOf(Array.from({ length: 100 }, (_, index) => index % 2));

    expect(intervalOfShare(any, isOne)).toEqual(bootstrapByCluster(any, meanOf));
  });

  it('is no point if all rows agree: none of 30 may still be up to 11.6%', () => {
    const none = rowsOf(Array.from({ length: 30 }, () => 0));
    const inOne = none.map((row) => ({ ...row, cluster: 'same' }));

    expect(intervalOfShare(none, isOne)).toEqual({ low: 0, high: expect.closeTo(0.1157, 4) });
    expect(intervalOfShare(none, (row) => !isOne(row))).toEqual({ low: expect.closeTo(0.8843, 4), high: 1 });
    expect(intervalOfShare(inOne, isOne)).toEqual({ low: 0, high: expect.closeTo(0.975, 10) });
    expect(intervalOfShare([], isOne)).toBeNull();
  });
});

it('a quantile is interpolated between its neighbours', () => {
  expect(quantile([1, 2, 3, 4, 5], 0.5)).toBe(3);
  expect(quantile([10, 20], 0.25)).toBe(12.5);
  expect(quantile([7], 0.975)).toBe(7);
});

it('random numbers are from 0 to below 1, for any seed, and spread evenly', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const next = randomNumbers(seed);
      const drawn = Array.from({ length: 100 }, next);

      expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...drawn)).toBeLessThan(1);
      expect(new Set(drawn).size).toBe(100);
    }),
  );
});
