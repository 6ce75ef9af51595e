import { setTimeout as sleep } from 'node:timers/promises';
import type { FailCode } from '../billing/ledger/fail.ts';
import { BackendBusy } from '../scoring/backends/backend-reply.ts';
import { type AcceptedScore, acceptScore, ScoreRejected } from '../scoring/scores/accept-score.ts';
import type { ScoreRequest, ScoringBackend } from '../scoring/scoring-backend.ts';

export interface BackendTimings {
  /** Timeout of one attempt. */
  attemptMs: number;
  /** Maximum time for all attempts and waits of one call together. */
  budgetMs: number;
  /** Longest wait before the second attempt; a longer Retry-After is shortened to it. */
  retryAfterCapMs: number;
}

/** Thrown if the backend returned no usable score; `code` is stored with the run, the cause is only logged. */
export class ScoringFailed extends Error {
  readonly code: FailCode;

  constructor(code: FailCode, cause: unknown) {
    super(`the scoring backend gave no usable score: ${(cause as Error).message}`, { cause });
    this.name = 'ScoringFailed';
    this.code = code;
  }
}

function timedOut(): DOMException {
  return new DOMException('the backend did not answer in time', 'TimeoutError');
}

/**
 * Asks the backend once for a score. Rejects after `limitMs` even if the backend ignores its abort signal. Clears its
 * timer when the attempt ends; AbortSignal.timeout would keep a timer until it fires, long after the answer.
 */
async function attempt(backend: ScoringBackend, request: ScoreRequest, limitMs: number): Promise<unknown> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      controller.abort(timedOut());
      reject(controller.signal.reason);
    }, limitMs);
  });
  try {
    return await Promise.race([backend.score(request, controller.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the score of a backend that answers synchronously, before any credits are held. Returns null for every other
 * backend, and if the answer is unusable: the call then holds credits and asks again, so that a failure is stored with
 * its run.
 */
export function scoreSync(backend: ScoringBackend, request: ScoreRequest): AcceptedScore | null {
  if (!backend.scoreSync) return null;
  try {
    return acceptScore(backend.scoreSync(request), request, backend.source);
  } catch {
    return null;
  }
}

/**
 * Requests the score of one run. Makes one attempt, and a second one after a 429; both share the time budget. Validates
 * the answer, because the backend is not trusted. Throws only ScoringFailed.
 */
export async function askBackend(
  backend: ScoringBackend,
  request: ScoreRequest,
  { attemptMs, budgetMs, retryAfterCapMs }: BackendTimings,
): Promise<AcceptedScore> {
  const endsAt = performance.now() + budgetMs;
  const within = (ms: number) => Math.min(ms, Math.max(0, endsAt - performance.now()));
  try {
    let reply: unknown;
    try {
      reply = await attempt(backend, request, within(attemptMs));
    } catch (error) {
      if (!(error instanceof BackendBusy)) throw error;
      const waitMs = Math.min(error.retryAfterMs, retryAfterCapMs);
      const leftMs = within(waitMs);
      await sleep(leftMs);
      if (leftMs < waitMs) throw timedOut();
      reply = await attempt(backend, request, within(attemptMs));
    }
    return acceptScore(reply, request, backend.source);
  } catch (error) {
    if (error instanceof ScoreRejected) throw new ScoringFailed('upstream_rejected', error);
    const isLate = ['TimeoutError', 'AbortError'].includes((error as Error).name);
    throw new ScoringFailed(isLate ? 'upstream_timeout' : 'upstream', error);
  }
}
