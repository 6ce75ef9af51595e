import { AbortError, type CallTrace, TimeoutError } from './errors.ts';

/** The end of one call: its time limit or the caller's signal, whichever comes first. */
export interface Deadline {
  /** Aborted when the call has to end; the reason is the error that the caller gets. */
  readonly signal: AbortSignal;
  /** When the time is up, as `performance.now()` counts. */
  readonly endsAt: number;
}

/** Beyond this many milliseconds, timers fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Does the work and settles as it does, or rejects with a {@link TimeoutError} or {@link AbortError} as soon as the call
 * has to end, even if the work goes on.
 */
export function withDeadline<Result>(
  timeoutMs: number,
  callerSignal: AbortSignal | undefined,
  trace: CallTrace,
  work: (deadline: Deadline) => Promise<Result>,
): Promise<Result> {
  const limitMs = Math.min(timeoutMs, MAX_TIMER_MS);
  const controller = new AbortController();
  const { signal } = controller;
  const expire = () => controller.abort(new TimeoutError(`No answer within ${limitMs} ms.`, trace));
  const stop = () =>
    controller.abort(new AbortError('Aborted by the caller.', { ...trace, cause: callerSignal?.reason }));
  const limit = setTimeout(expire, limitMs);
  callerSignal?.addEventListener('abort', stop);

  return new Promise<Result>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
    if (callerSignal?.aborted) stop();
    else work({ signal, endsAt: performance.now() + limitMs }).then(resolve, reject);
  }).finally(() => {
    clearTimeout(limit);
    callerSignal?.removeEventListener('abort', stop);
  });
}

/** Waits; for ever, once the signal has been aborted. */
export function pause(delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    signal.addEventListener('abort', () => clearTimeout(timer));
  });
}
