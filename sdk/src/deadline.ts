import { AbortError, type CallTrace, TimeoutError } from './errors.ts';

/** Beyond this many milliseconds, timers fire at once. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Does the work and settles as it does, or rejects with a {@link TimeoutError} or {@link AbortError} as soon as the time is
 * up or the caller's signal ends the call, even if the work goes on. The work is given a signal that tells it of the end,
 * with that error as its reason; it isn't begun where the caller's signal was aborted before.
 */
export function withDeadline<Result>(
  timeoutMs: number,
  callerSignal: AbortSignal | undefined,
  trace: CallTrace,
  work: (signal: AbortSignal) => Promise<Result>,
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
    else work(signal).then(resolve, reject);
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
