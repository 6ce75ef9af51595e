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

function timedOut(): DOMException {
  return new DOMException('the time for an answer is over', 'TimeoutError');
}

/**
 * Rejects when the time is over even where the backend ignores its signal. The timer goes with the attempt: a signal of its
 * own kind for each would be kept for as long as it had to run, long after the answer.
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
 * The score of a backend that answers from this process, before anything is held. Null where it is asked once the hold stands:
 * any other, and one whose answer is of no use, which its run then records.
 */
export function scoreAtOnce(backend: ScoringBackend, request: ScoreRequest): AcceptedScore | null {
  if (!backend.scoreAtOnce) return null;
  try {
    return acceptScore(backend.scoreAtOnce(request), request, backend.source);
  } catch {
    return null;
  }
}

/**
 * One score for one run: an attempt, one more after a 429, all within one deadline; the answer is untrusted and checked.
 * Throws ScoringFailed, never anything else.
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
