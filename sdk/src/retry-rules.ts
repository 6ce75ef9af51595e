import { retryAfterMs } from './retry-after.ts';

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;
const PASSING_STATUSES = [408, 429, 502, 503, 504];

/** Reads, and operations with their idempotency key: safe to send again whatever happened to the first try. */
const REPEATABLE = /^GET |\/operations\/run$/;

/** Codes of Node and Bun for connections that were never made, so that surely no request was sent. */
const NEVER_SENT = /^E(CONNREFUSED|NOTFOUND|AI_AGAIN)$|CONNECT_TIMEOUT$|^ConnectionRefused$/;

/** Whether the same request, told by its method and URL, may be sent again after this answer. */
export function mayRepeatAfterAnswer(call: string, status: number, text: string): boolean {
  // Any other write only where the service surely did nothing.
  if (!REPEATABLE.test(call)) return status === 429;
  // The other 409 is final. Quotes within a text would be escaped, so this is the whole code.
  if (status === 409) return text.includes('"idempotency_in_progress"');
  return PASSING_STATUSES.includes(status);
}

/** Whether the same request may be sent again after the network failed; `code` is the runtime's word for that. */
export function mayRepeatAfterFailure(call: string, code: string): boolean {
  return REPEATABLE.test(call) || NEVER_SENT.test(code);
}

/**
 * Milliseconds before the next attempt: what the answer's headers ask for, else half to all of 0.5 s doubled per attempt;
 * at most a minute.
 */
export function retryDelayMs(attempts: number, headers?: Headers): number {
  const backoffMs = BASE_DELAY_MS * 2 ** (attempts - 1) * (1 - Math.random() / 2);
  return Math.min((headers && retryAfterMs(headers)) ?? backoffMs, MAX_DELAY_MS);
}
