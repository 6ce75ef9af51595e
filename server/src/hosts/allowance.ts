/** How many more requests a host allows, as it told last; null is untold. */
export interface Allowance {
  readonly remaining: number | null;
  /** Until more are allowed. */
  readonly resetSeconds: number | null;
}

type Headers = Readonly<Record<string, string>>;

/** No host makes us wait longer than a day, whatever it says. */
const LONGEST_WAIT_SECONDS = 86_400;
/** What we wait where a host limits us and does not say for how long. */
const UNTOLD_WAIT_SECONDS = 60;

/** Reads the limits as GitHub (`x-ratelimit-*`) and GitLab (`ratelimit-*`) state them; resets are moments in seconds. */
export function allowanceOf(headers: Headers): Allowance {
  const remaining = whole(headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']);
  const reset = whole(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  return { remaining, resetSeconds: reset === null ? null : bounded(reset - nowOf(headers)) };
}

/** How many seconds a host asks us to wait; null where the answer is no limit. A 403 is one only where it says so. */
export function waitOf(status: number, headers: Headers): number | null {
  const { remaining, resetSeconds } = allowanceOf(headers);
  const retryAfter = retryAfterOf(headers);
  const isLimit = status === 429 || (status === 403 && (remaining === 0 || retryAfter !== null));
  if (!isLimit) return null;
  return retryAfter ?? (remaining === 0 ? resetSeconds : null) ?? UNTOLD_WAIT_SECONDS;
}

function retryAfterOf(headers: Headers): number | null {
  const text = headers['retry-after'];
  if (text === undefined) return null;
  const seconds = whole(text);
  if (seconds !== null) return bounded(seconds);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : bounded(moment / 1_000 - nowOf(headers));
}

/** Seconds by the host's own clock where it tells the time, so that a wrong clock here makes no wrong wait. */
function nowOf(headers: Headers): number {
  const told = Date.parse(headers.date ?? '');
  return (Number.isNaN(told) ? Date.now() : told) / 1_000;
}

function bounded(seconds: number): number {
  return Math.min(Math.max(Math.ceil(seconds), 1), LONGEST_WAIT_SECONDS);
}

function whole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text.trim()) ? Number(text) : null;
}
