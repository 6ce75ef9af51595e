/** A scored subject with its label, and the cluster by which it is resampled. */
export interface LabelledScore {
  readonly score: number;
  readonly isGood: boolean;
  readonly cluster: string;
}

/**
 * Computes the area under the ROC curve by ranks: the probability that a random positive is above a random negative,
 * where a tie counts half. Returns null if one side is empty.
 *
 * @example
 * areaUnderCurve([3, 2], [2, 1]); // 3.5 of 4 pairs: 0.875
 */
export function areaUnderCurve(positives: readonly number[], negatives: readonly number[]): number | null {
  if (positives.length === 0 || negatives.length === 0) return null;
  const sorted = [...positives, ...negatives].sort((a, b) => a - b);
  const rankOf = midRanks(sorted);
  const sum = positives.reduce((total, value) => total + (rankOf.get(value) ?? 0), 0);
  const wins = sum - (positives.length * (positives.length + 1)) / 2;
  return wins / (positives.length * negatives.length);
}

/** Returns the mean rank, from 1, of each distinct value of a sorted list. */
function midRanks(sorted: readonly number[]): Map<number, number> {
  const ranks = new Map<number, number>();
  for (let start = 0; start < sorted.length; ) {
    const value = sorted[start] as number;
    let end = start;
    while (end < sorted.length && sorted[end] === value) end += 1;
    ranks.set(value, (start + 1 + end) / 2);
    start = end;
  }
  return ranks;
}

/** A bin of a calibration table: scores from `from` (inclusive) to `to` (exclusive; the last bin includes it). */
export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  readonly rows: number;
  readonly meanScore: number;
  /** Share of the rows that are labelled good, 0 to 1. */
  readonly shareGood: number;
}

/** Sorts scores from 0 to 100 into bins of equal width and returns those that are not empty. */
export function calibrationBins(rows: readonly LabelledScore[], bins = 10): CalibrationBin[] {
  const width = 100 / bins;
  const binOf = ({ score }: LabelledScore) => Math.min(bins - 1, Math.floor(score / width));
  return Array.from({ length: bins }, (_, index) => index).flatMap((index) => {
    const inside = rows.filter((row) => binOf(row) === index);
    if (inside.length === 0) return [];
    return {
      from: index * width,
      to: (index + 1) * width,
      rows: inside.length,
      meanScore: mean(inside.map(({ score }) => score)),
      shareGood: inside.filter(({ isGood }) => isGood).length / inside.length,
    };
  });
}

/**
 * Computes the expected calibration error: the mean distance between the mean score of a bin, as a share, and its
 * share of good rows, weighted by the rows of the bins. Returns null without rows.
 */
export function calibrationError(bins: readonly CalibrationBin[]): number | null {
  const rows = bins.reduce((sum, bin) => sum + bin.rows, 0);
  if (rows === 0) return null;
  const distance = bins.reduce(
    (sum, bin) => sum + bin.rows * Math.abs(bin.shareGood - bin.meanScore / 100),
    0,
  );
  return distance / rows;
}

/** Absolute differences between two readings of the same subjects. */
export interface Move {
  readonly mean: number;
  readonly largest: number;
}

/** Summarises the absolute differences of pairs of numbers. Both figures are 0 without pairs. */
export function moveOf(pairs: readonly (readonly [before: number, after: number])[]): Move {
  const distances = pairs.map(([before, after]) => Math.abs(after - before));
  return {
    mean: mean(distances),
    largest: distances.reduce((largest, distance) => Math.max(largest, distance), 0),
  };
}

/** Computes the arithmetic mean of numbers; 0 if there are none. */
function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Distribution of discrete values. */
interface ValueDistribution {
  readonly rows: number;
  readonly distinct: number;
  /** The commonest value, and its share of the rows; null and 0 without rows. */
  readonly commonest: string | null;
  readonly commonestShare: number;
  /** Shannon entropy in bits: 0 if all rows have one value, log2 of the rows if all differ. */
  readonly entropyBits: number;
}

/** Describes how often values repeat. Of equally common values, the first in the list is the commonest. */
export function describeValues(values: readonly string[]): ValueDistribution {
  const counts = countsOf(values);
  const rows = values.length;
  let commonest: string | null = null;
  let most = 0;
  let entropy = 0;
  for (const [value, count] of counts) {
    entropy -= (count / rows) * Math.log2(count / rows);
    if (count > most) {
      commonest = value;
      most = count;
    }
  }
  return {
    rows,
    distinct: counts.size,
    commonest,
    commonestShare: rows === 0 ? 0 : most / rows,
    entropyBits: Math.max(0, entropy),
  };
}

/** Counts how often each value occurs. */
export function countValues(values: readonly string[]): Record<string, number> {
  return Object.fromEntries(countsOf(values));
}

function countsOf(values: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}
