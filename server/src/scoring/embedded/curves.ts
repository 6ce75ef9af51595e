const DAY_MS = 86_400_000;

/** L of the method: logarithmic saturation, 0 at nothing and 1 from `full` on. */
export function saturation(amount: number, full: number): number {
  return Math.min(1, Math.log1p(amount) / Math.log1p(full));
}

/** D of the method: 1 now, half after `halfLife` days. */
export function decay(days: number, halfLife: number): number {
  return 2 ** (-days / halfLife);
}

/** G of the method: 0 now, half after `halfLife` days. */
export function growth(days: number, halfLife: number): number {
  return 1 - decay(days, halfLife);
}

/** Days from an ISO 8601 moment to `now`; a moment in the future (a skewed clock) counts as now. */
export function daysSince(moment: string, now: Date): number {
  return Math.max(0, (now.getTime() - Date.parse(moment)) / DAY_MS);
}

/** Rounds half up to a number of decimals. */
export function round(value: number, decimals: number): number {
  const scale = 10 ** decimals;
  return Math.round(value * scale) / scale;
}
