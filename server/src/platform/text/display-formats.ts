const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});
const COUNT = new Intl.NumberFormat('en-GB');
const PERCENT = new Intl.NumberFormat('en-GB', { style: 'percent', maximumFractionDigits: 2 });

/** Formats a whole number with commas between thousands. */
export function formatCount(count: number): string {
  return COUNT.format(count);
}

/** Formats a score with one decimal. */
export function formatScore(score: number): string {
  return score.toFixed(1);
}

/** Formats a time as a day in UTC; returns the text unchanged if it is not a time. */
export function formatDay(at: string): string {
  const time = Date.parse(at);
  return Number.isNaN(time) ? at : DAY.format(time);
}

/** Formats the range of days in UTC that these times cover: "22 Aug 2026", "20–22 Aug 2026"; null for none. */
export function formatDays(moments: readonly string[]): string | null {
  const times = moments.map((at) => Date.parse(at)).sort((a, b) => a - b);
  const [first] = times;
  const last = times.at(-1);
  return first === undefined || last === undefined ? null : DAY.formatRange(first, last);
}

/** Formats a fraction as a percentage with at most two decimals. */
export function formatPercent(ratio: number): string {
  return PERCENT.format(ratio);
}

/** Returns the normalised URL if it is http or https, so that it is safe in a link; null otherwise. */
export function safeHref(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null;
}
