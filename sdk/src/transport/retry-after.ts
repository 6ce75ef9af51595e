/**
 * Milliseconds that `Retry-After` asks for, in seconds or as a date; null where it is absent or unreadable. A date is
 * compared with the answer's own `Date`, so that a wrong clock on either side doesn't matter.
 */
export function retryAfterMs(headers?: Headers): number | null {
  // Absent, it reads as a word, which is neither.
  const value = headers?.get('retry-after') as string;
  if (/^\d+$/.test(value)) return +value * 1000;
  // Only what looks like an HTTP date: Date.parse would read "-5" as a month.
  const until = /^[A-Z].+ GMT$/.test(value) && Date.parse(value);
  return until ? Math.max(0, until - (Date.parse(headers?.get('date') as string) || Date.now())) : null;
}
