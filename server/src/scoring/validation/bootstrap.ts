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
/** Probability of a figure beyond one end of an interval. */
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
 * Computes a 95% interval of a share by resampling clusters. If all rows agree, every sample does too, so that the
 * interval would be a point; the exact bound for as many independent clusters is used instead.
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
