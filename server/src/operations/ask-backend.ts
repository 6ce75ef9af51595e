import { setTimeout as sleep } from 'node:timers/promises';
import type { FailCode } from '../ledger/fail.ts';
import { type AcceptedScore, acceptScore, ScoreRejected } from '../scoring/accept-score.ts';
import { BackendBusy } from '../scoring/backends/backend-busy.ts';
import type { ScoreRequest, ScoringBackend } from '../scoring/scoring-backend.ts';

export interface BackendTimings {
  /** One attempt. */
  attemptMs: number;
  /** All attempts and waits of one call. */
  budgetMs: number;
  /** The longest Retry-After that is honoured. */
  retryAfterCapMs: number;
}

/** The backend gave no usable score; `code` is stored with the run, the reason goes to the log only. */
export class ScoringFailed extends Error {
  readonly code: FailCode;

  constructor(code: FailCode, cause: unknown) {
    super(`the scoring backend gave no usable score: ${(cause as Error).message}`, { cause });
    this.name = 'ScoringFailed';
    this.code = code;
  }
}

/** Rejects when the signal fires, so that a backend that ignores its signal cannot hold the call. */
function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}

async function attempt(
  backend: ScoringBackend,
  request: ScoreRequest,
  deadline: AbortSignal,
  attemptMs: number,
): Promise<unknown> {
  const signal = AbortSignal.any([deadline, AbortSignal.timeout(attemptMs)]);
  return Promise.race([backend.score(request, signal), untilAborted(signal)]);
}

/**
 * One score for one run: an attempt, one more after a 429, all within one deadline; the answer is untrusted and checked.
 * Throws ScoringFailed, never anything else.
 */
export async function askBackend(
  backend: ScoringBackend,
  request: ScoreRequest,
  timings: BackendTimings,
): Promise<AcceptedScore> {
  const deadline = AbortSignal.timeout(timings.budgetMs);
  try {
    let reply: unknown;
    try {
      reply = await attempt(backend, request, deadline, timings.attemptMs);
    } catch (error) {
      if (!(error instanceof BackendBusy)) throw error;
      await sleep(Math.min(error.retryAfterMs, timings.retryAfterCapMs), undefined, { signal: deadline });
      reply = await attempt(backend, request, deadline, timings.attemptMs);
    }
    return acceptScore(reply, request, backend.source);
  } catch (error) {
    if (error instanceof ScoreRejected) throw new ScoringFailed('upstream_rejected', error);
    const timedOut = (error as Error).name === 'TimeoutError' || (error as Error).name === 'AbortError';
    throw new ScoringFailed(timedOut ? 'upstream_timeout' : 'upstream', error);
  }
}
