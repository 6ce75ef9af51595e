import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areaUnderCurve,
  bootstrapByCluster,
  calibrationBins,
  calibrationError,
  countClusters,
  countValues,
  describeValues,
  intervalOfShare,
  moveOf,
  quantile,
  randomNumbers,
} from './statistics.ts';

const scores = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 });
const rows = fc.array(
  fc.record({
    score: fc.double({ min: 0, max: 100, noNaN: true }),
    isGood: fc.boolean(),
    cluster: fc.string(),
  }),
);

/** Counts won pairs one by one, as the definition says. */
function areaByPairs(positives: readonly number[], negatives: readonly number[]): number {
  const won = positives.flatMap((positive) =>
    negatives.map((negative) => (positive > negative ? 1 : positive === negative ? 0.5 : 0)),
  );
  return won.reduce((sum: number, value) => sum + value, 0) / won.length;
}

describe('the area under the curve', () => {
  it.each([
    [[3, 2], [2, 1], 0.875],
    [[2, 3], [0, 1], 1],
    [[0, 1], [2, 3], 0],
    [[5], [5], 0.5],
    [[1, 1, 4], [1, 2], 0.5],
  ])('of %j over %j is %d', (positives, negatives, area) => {
    expect(areaUnderCurve(positives, negatives)).toBeCloseTo(area, 10);
  });

  it('has no value if one side is empty', () => {
    expect(areaUnderCurve([], [1])).toBeNull();
    expect(areaUnderCurve([1], [])).toBeNull();
  });

  it('is the share of won pairs, ties counted half, and the rest of the swapped one', () => {
    fc.assert(
      fc.property(scores, scores, (positives, negatives) => {
        const area = areaUnderCurve(positives, negatives) ?? Number.NaN;

        expect(area).toBeCloseTo(areaByPairs(positives, negatives), 10);
        expect(area + (areaUnderCurve(negatives, positives) ?? Number.NaN)).toBeCloseTo(1, 10);
      }),
    );
  });

  it('depends on the order of the scores alone', () => {
    fc.assert(
      fc.property(scores, scores, (positives, negatives) => {
        const stretch = (values: readonly number[]) => values.map((value) => value ** 3 + 7);

        expect(areaUnderCurve(stretch(positives), stretch(negatives))).toBe(
          areaUnderCurve(positives, negatives),
        );
      }),
    );
  });
});

describe('calibration', () => {
  it('has the rows, mean score and share of good rows of each bin, with 100 in the last', () => {
    const row = (score: number, isGood: boolean) => ({ score, isGood, cluster: `${score}` });

    const bins = calibrationBins([
      row(0, false),
      row(5, true),
      row(10, true),
      row(95, true),
      row(100, false),
    ]);

    expect(bins).toEqual([
      { from: 0, to: 10, rows: 2, meanScore: 2.5, shareGood: 0.5 },
      { from: 10, to: 20, rows: 1, meanScore: 10, shareGood: 1 },
      { from: 90, to: 100, rows: 2, meanScore: 97.5, shareGood: 0.5 },
    ]);
    // (2 × |0.5 − 0.025| + 1 × |1 − 0.1| + 2 × |0.5 − 0.975|) / 5
    expect(calibrationError(bins)).toBeCloseTo(0.56, 10);
    expect(calibrationError([])).toBeNull();
  });

  it('loses no row, and keeps each mean within its bin', () => {
    fc.assert(
      fc.property(rows, (any) => {
        const bins = calibrationBins(any);

        expect(bins.reduce((sum, bin) => sum + bin.rows, 0)).toBe(any.length);
        for (const { from, to, meanScore } of bins) {
          expect(meanScore).toBeGreaterThanOrEqual(from - 1e-9);
          expect(meanScore).toBeLessThanOrEqual(to + 1e-9);
        }
      }),
    );
  });
});

it('a move is the mean and the largest absolute difference', () => {
  expect(
    moveOf([
      [30, 33],
      [50, 44],
      [20, 20],
    ]),
  ).toEqual({ mean: 3, largest: 6 });
  expect(moveOf([])).toEqual({ mean: 0, largest: 0 });
});

describe('a distribution', () => {
  it('has the commonest value, its share and the entropy in bits', () => {
    expect(describeValues(['a', 'b', 'a', 'c'])).toEqual({
      rows: 4,
      distinct: 3,
      commonest: 'a',
      commonestShare: 0.5,
      entropyBits: 1.5,
    });
    expect(describeValues(['a', 'a'])).toMatchObject({ entropyBits: 0, commonestShare: 1 });
    expect(describeValues([])).toEqual({
      rows: 0,
      distinct: 0,
      commonest: null,
      commonestShare: 0,
      entropyBits: 0,
    });
    expect(countValues(['low', 'high', 'low'])).toEqual({ low: 2, high: 1 });
  });

  it('has an entropy between 0 and the logarithm of the number of values', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 2 }), { minLength: 1 }), (values) => {
        const { entropyBits, distinct, commonestShare } = describeValues(values);

        expect(entropyBits).toBeGreaterThanOrEqual(0);
        expect(entropyBits).toBeLessThanOrEqual(Math.log2(distinct) + 1e-9);
        expect(commonestShare).toBeGreaterThanOrEqual(1 / distinct - 1e-9);
      }),
    );
  });
});

interface Row {
  value: number;
  cluster: string;
}

const meanOf = (sample: readonly Row[]) => sample.reduce((sum, { value }) => sum + value, 0) / sample.length;

const clusteredRows = fc.array(
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
      fc.property(clusteredRows, fc.integer(), (any, seed) => {
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
