import { REPEATABLE } from '../generated/request-rules.ts';
import type { Exchange } from './exchange.ts';
import { retryAfterMs } from './retry-after.ts';

/** Whether the same request, given by method, URL and idempotency key, can be sent again after this answer, or after none. */
export function mayRepeat(
  call: string,
  came?: Pick<Exchange, 'status' | 'text'>,
  code?: string,
  idempotencyKey?: string | null,
): boolean | undefined {
  // Reads, and writes with their idempotency key, are safe to send again whatever happened to the first try.
  if (idempotencyKey || REPEATABLE.test(call)) {
    // The other 409 is final. Quotes within a text would be escaped, so this is the whole code.
    if (came?.status === 409) return came.text?.includes('"idempotency_in_progress"');
    return !came || [408, 429, 500, 502, 503, 504].includes(came.status);
  }
  // Any other write only if the service surely did nothing: by the codes of Node and Bun, it was never reached.
  return came
    ? came.status === 429
    : /(^E(CONNREFUSED|NOTFOUND|AI_AGAIN)|CONNECT_TIMEOUT|ConnectionRefused)$/.test(code as string);
}

/**
 * Milliseconds before the next attempt: what the answer's headers ask for, else a random time between half and all of
 * 0.5 s, which doubles with each attempt; at most a minute.
 */
export function retryDelayMs(attempts: number, headers?: Headers): number {
  const backoffMs = 250 * 2 ** attempts * (1 - Math.random() / 2);
  return Math.min(retryAfterMs(headers) ?? backoffMs, 60_000);
}
