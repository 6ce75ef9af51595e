/** Remaining requests according to the host's last answer; null if it did not say. */
export interface RateLimit {
  readonly remaining: number | null;
  /** Seconds until the limit resets. */
  readonly resetSeconds: number | null;
}

type Headers = Readonly<Record<string, string>>;

/** Maximum delay, whatever a host requests. */
const MAX_WAIT_SECONDS = 86_400;
/** Delay when a host limits us without saying for how long. */
const DEFAULT_WAIT_SECONDS = 60;

/**
 * Reads the rate limit headers of GitHub (`x-ratelimit-*`) and GitLab (`ratelimit-*`); resets are Unix times in
 * seconds.
 */
export function rateLimitOf(headers: Headers): RateLimit {
  const remaining = whole(headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining']);
  const reset = whole(headers['x-ratelimit-reset'] ?? headers['ratelimit-reset']);
  return { remaining, resetSeconds: reset === null ? null : bounded(reset - nowOf(headers)) };
}

/**
 * Returns the delay in seconds that a host requests; null if the answer is not a rate limit. A 403 is one only if its
 * headers say so.
 */
export function retryDelayOf(status: number, headers: Headers): number | null {
  const { remaining, resetSeconds } = rateLimitOf(headers);
  const retryAfter = retryAfterOf(headers);
  const isLimit = status === 429 || (status === 403 && (remaining === 0 || retryAfter !== null));
  if (!isLimit) return null;
  return retryAfter ?? (remaining === 0 ? resetSeconds : null) ?? DEFAULT_WAIT_SECONDS;
}

function retryAfterOf(headers: Headers): number | null {
  const text = headers['retry-after'];
  if (text === undefined) return null;
  const seconds = whole(text);
  if (seconds !== null) return bounded(seconds);
  const moment = Date.parse(text);
  return Number.isNaN(moment) ? null : bounded(moment / 1_000 - nowOf(headers));
}

/** Returns the host's own time in seconds if it sends one, so that a wrong local clock causes no wrong delay. */
function nowOf(headers: Headers): number {
  const hostTime = Date.parse(headers.date ?? '');
  return (Number.isNaN(hostTime) ? Date.now() : hostTime) / 1_000;
}

function bounded(seconds: number): number {
  return Math.min(Math.max(Math.ceil(seconds), 1), MAX_WAIT_SECONDS);
}

function whole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,12}$/.test(text.trim()) ? Number(text) : null;
}
