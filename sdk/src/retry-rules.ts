import { errorCodeOf } from './error-body.ts';
import { rootCauseOf } from './failure.ts';
import { retryAfterMs } from './retry-after.ts';

/**
 * What makes a call repeatable. `read` and `keyed` (an operation with its idempotency key) may be sent again whatever
 * happened to the first try; `unkeyed` (a registration) only where the service surely did nothing.
 */
export type RetryRule = 'read' | 'keyed' | 'unkeyed';

const BASE_DELAY_MS = 500;
const MAX_DELAY_MS = 60_000;
const PASSING_STATUSES = [408, 429, 502, 503, 504];

/** Codes of Node and Bun for connections that were never made, so that surely no request was sent. */
const NEVER_SENT = /^E(CONNREFUSED|NOTFOUND|AI_AGAIN)$|CONNECT_TIMEOUT$|^ConnectionRefused$/;

/** Whether the same request may be sent again after this answer. */
export function mayRepeatAfterAnswer(rule: RetryRule, status: number, body: string): boolean {
  if (rule === 'unkeyed') return status === 429;
  if (rule === 'keyed' && status === 409) return errorCodeOf(body) === 'idempotency_in_progress';
  return PASSING_STATUSES.includes(status);
}

/** Whether the same request may be sent again after the network failed. */
export function mayRepeatAfterFailure(rule: RetryRule, failure: unknown): boolean {
  return rule !== 'unkeyed' || NEVER_SENT.test(rootCauseOf(failure).code);
}

/**
 * Milliseconds before the next attempt: what the answer's headers ask for, else half to all of 0.5 s doubled per attempt;
 * at most a minute.
 */
export function retryDelayMs(attempts: number, headers?: Headers): number {
  const backoffMs = BASE_DELAY_MS * 2 ** (attempts - 1) * (1 - Math.random() / 2);
  return Math.min(retryAfterMs(headers) ?? backoffMs, MAX_DELAY_MS);
}
