import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  areaUnderCurve,
  calibrationBins,
  calibrationError,
  countValues,
  describeValues,
  moveOf,
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
