import type { RepeatWrite } from '../contract/endpoint-types.ts';
import { REPEATABLE } from '../generated/request-rules.ts';

/**
 * Returns whether a request (`METHOD URL`) can be sent again after a response with this status and text, or after a
 * network error with this code. A falsy result also means that this is unclear: a write could be executed twice.
 */
export function isRetryable(
  call: string,
  status: number | undefined,
  text: string,
  code?: string,
  idempotencyKey?: string | null,
  repeatWrite?: RepeatWrite,
): boolean | undefined {
  // Reads, look-ups and calls with an idempotency key are safe to repeat. Only some statuses make a retry useful.
  if (idempotencyKey || REPEATABLE.test(call)) {
    // Other conflicts are final. Quotes within a JSON string are escaped, so this matches only the complete code.
    if (status === 409) return text.includes('"idempotency_in_progress"');
    return !status || /408|429|50[0234]/.test(status as unknown as string);
  }
  return repeatWrite?.(status, code);
}

/**
 * Allows a retry of a write without an idempotency key only if the service has not executed it: after a 429, or if the
 * error code of Node or Bun shows that no connection was made. It is passed as an argument, so that programs without
 * such writes don't bundle it.
 */
export const repeatIfNotDone: RepeatWrite = (status, code) =>
  status ? status === 429 : /refused|notfound|ai_again|connect_timeout/i.test(code as string);

/**
 * Returns the milliseconds before the next attempt, at most a minute: `Retry-After` if the response has it. Otherwise a
 * random 250 to 500 ms before the second attempt, and twice as much before each later one.
 */
export const retryDelayMs = (attempts: number, headers?: Headers): number =>
  Math.min(retryAfterMs(headers) ?? 125 * 2 ** attempts * (1 + Math.random()), 60_000);

/**
 * Returns the milliseconds of a `Retry-After` header, which has seconds or a date; null if it is absent or invalid. A
 * date is compared with the response's `Date` header, so that clock skew doesn't matter.
 */
export function retryAfterMs(headers?: Headers): number | null {
  // The patterns convert an absent header to "null" or "undefined", which neither of them matches.
  const value = headers?.get('retry-after') as string;
  if (/^\d+$/.test(value)) return +value * 1000;
  // Accepts HTTP dates only: Date.parse would read "-5" as a month.
  const until = /GMT$/.test(value) && Date.parse(value);
  return until ? Math.max(0, until - (Date.parse(headers?.get('date') as string) || Date.now())) : null;
}
