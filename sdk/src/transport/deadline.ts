import { AbortError, type CallTrace, TimeoutError } from '../errors/errors.ts';

/** Callbacks to run when a signal is aborted, by signal. */
const callbacks = new WeakMap<EventTarget, Set<() => void>>();
const runCallbacks = ({ target }: Event) =>
  callbacks.get(target as EventTarget)?.forEach((act) => void act());

/** Waits for a number of milliseconds. */
export type Pause = (delayMs: number) => Promise<void>;

/**
 * Runs `work` with a deadline. Rejects with a {@link TimeoutError} when the time is up, or an {@link AbortError} when
 * the caller's signal is aborted. It then aborts the signal of `work`, without waiting until `work` ends. `pause` waits
 * within the work and never resolves after the deadline. The work isn't started if the caller's signal is already
 * aborted.
 */
export function withDeadline<Result>(
  timeoutMs: number,
  trace: CallTrace,
  work: (signal: AbortSignal, pause: Pause) => Promise<Result>,
  callerSignal?: AbortSignal,
): Promise<Result> {
  const controller = new AbortController();
  const timers: ReturnType<typeof setTimeout>[] = [];
  const after = (delayMs: number, act: () => void) => timers.push(setTimeout(act, delayMs));
  let removeCallback: (() => void) | undefined;

  return new Promise<Result>((resolve, reject) => {
    const end = (error: unknown) => {
      reject(error);
      controller.abort(error);
    };
    const stop = () =>
      end(new AbortError('Aborted.', { ...trace, cause: (callerSignal as AbortSignal).reason }));
    if (callerSignal?.aborted) return stop();
    if (callerSignal) {
      // All calls with a signal share one listener, because Node warns about more than ten. The last call removes the
      // listener, which would otherwise keep some signals from being garbage collected.
      const acts = callbacks.get(callerSignal) ?? new Set();
      if (!acts.size) callerSignal.addEventListener('abort', runCallbacks);
      callbacks.set(callerSignal, acts.add(stop));
      removeCallback = () => {
        acts.delete(stop);
        if (!acts.size) callerSignal.removeEventListener('abort', runCallbacks);
      };
    }
    // Longer delays overflow the timer and fire immediately; the maximum is 2^31 - 1 ms.
    after(Math.min(timeoutMs, 2e9), () =>
      end(new TimeoutError(`No response within ${timeoutMs} ms.`, trace)),
    );
    work(controller.signal, (delayMs) => new Promise((resolve) => after(delayMs, resolve))).then(
      resolve,
      reject,
    );
  }).finally(() => {
    timers.forEach(clearTimeout);
    removeCallback?.();
  });
}
