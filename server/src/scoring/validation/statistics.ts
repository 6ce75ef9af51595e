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

/** Mean and largest absolute difference between two scores of the same subjects. */
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

/** Interval that contains the figure with a probability of 95%, by the percentiles of resampled figures. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

/** Options of a bootstrap. The same seed and rows always give the same interval. */
interface BootstrapOptions {
  readonly rounds?: number;
  readonly seed?: number;
}

const ROUNDS = 1_000;
const SEED = 20_261;
/** Probability that a figure lies beyond one particular end of its confidence interval. */
const TAIL = 0.025;
/** Minimum share of the rounds that must give a figure, for the percentiles to mean anything. */
const FEWEST_USABLE = 0.95;

/**
 * Computes a 95% interval of a statistic by resampling whole clusters with replacement. Rows of one cluster, such as
 * packages of one campaign, are not independent, so that resampling single rows would make the interval too narrow.
 * Returns null if the statistic has no value in more than 5% of the rounds.
 */
export function bootstrapByCluster<Row extends { readonly cluster: string }>(
  rows: readonly Row[],
  statistic: (sample: readonly Row[]) => number | null,
  { rounds = ROUNDS, seed = SEED }: BootstrapOptions = {},
): Interval | null {
  const clusters = [...groupByCluster(rows).values()];
  if (clusters.length === 0) return null;
  const next = randomNumbers(seed);
  const figures: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const sample = clusters.flatMap(() => clusters[Math.floor(next() * clusters.length)] ?? []);
    const figure = statistic(sample);
    if (figure !== null) figures.push(figure);
  }
  if (figures.length < FEWEST_USABLE * rounds) return null;
  figures.sort((a, b) => a - b);
  return { low: quantile(figures, TAIL), high: quantile(figures, 1 - TAIL) };
}

/**
 * Computes a 95% interval of a share by resampling clusters. If all rows agree, all samples agree, too, and the interval
 * would be a point. In this case, uses the exact bound for the same number of independent clusters.
 */
export function intervalOfShare<Row extends { readonly cluster: string }>(
  rows: readonly Row[],
  counts: (row: Row) => boolean,
): Interval | null {
  const shareOf = (sample: readonly Row[]) => sample.filter(counts).length / sample.length;
  const share = shareOf(rows);
  if (share !== 0 && share !== 1) return bootstrapByCluster(rows, shareOf);
  if (rows.length === 0) return null;
  const reach = 1 - TAIL ** (1 / countClusters(rows));
  return share === 0 ? { low: 0, high: reach } : { low: 1 - reach, high: 1 };
}

/** Counts the distinct clusters of rows. */
export function countClusters(rows: readonly { readonly cluster: string }[]): number {
  return new Set(rows.map(({ cluster }) => cluster)).size;
}

function groupByCluster<Row extends { readonly cluster: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.cluster);
    if (group === undefined) groups.set(row.cluster, [row]);
    else group.push(row);
  }
  return groups;
}

/** Interpolates the quantile of a sorted list that is not empty. */
export function quantile(sorted: readonly number[], share: number): number {
  const position = share * (sorted.length - 1);
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** Modulus and multiplier of the Lehmer generator MINSTD, whose products stay below 2^53. */
const MODULUS = 2_147_483_647;
const MULTIPLIER = 48_271;

/** Creates a generator of reproducible pseudo-random numbers from 0 (inclusive) to 1 (exclusive). */
export function randomNumbers(seed: number): () => number {
  let state = (Math.abs(Math.trunc(seed)) % (MODULUS - 1)) + 1;
  return () => {
    state = (state * MULTIPLIER) % MODULUS;
    return (state - 1) / (MODULUS - 1);
  };
}
