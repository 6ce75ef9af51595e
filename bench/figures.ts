/** Returns a percentile of the values; `share` is from 0 to 1, so 0.5 returns the median and 0.95 the 95th percentile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('there is no percentile of no values');
  return value;
}

/** Returns the median. For an even number of values it is the lower of the two in the middle. */
export function middle(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** Computes rate, mean, median and 95th percentile from the milliseconds of each call and the seconds of the load. */
export function figuresOf(times: readonly number[], seconds: number) {
  return {
    count: times.length,
    perSecond: times.length / seconds,
    mean: times.reduce((sum, time) => sum + time, 0) / times.length,
    median: percentile(times, 0.5),
    p95: percentile(times, 0.95),
  };
}

/** Formats a number rounded to an integer, with thousands separators, such as 19,642. */
export function whole(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** Formats a duration: from 10 s in seconds, otherwise in milliseconds, with decimals only below 100 ms. */
export function duration(ms: number): string {
  if (ms >= 10_000) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms >= 100) return `${Math.round(ms)} ms`;
  return `${ms.toFixed(ms < 10 ? 2 : 1)} ms`;
}

/** Formats a rate per second. */
export function rate(perSecond: number): string {
  return `${whole(perSecond)}/s`;
}
