import { AbortError, type CallTrace, TimeoutError } from '../errors/errors.ts';

/** What to do once a signal is aborted. */
const waiting = new WeakMap<EventTarget, Set<() => void>>();
const doAll = ({ target }: Event) => waiting.get(target as EventTarget)?.forEach((act) => void act());

/**
 * Does something when a signal is aborted, and returns a function that cancels that. A signal has one listener however many
 * calls wait for it, as Node warns about more than ten; the last call removes it, as a listener keeps some signals alive.
 */
function onAbort(signal: AbortSignal, act: () => void): () => void {
  const acts = waiting.get(signal) ?? new Set();
  if (!acts.size) signal.addEventListener('abort', doAll);
  waiting.set(signal, acts.add(act));
  return () => {
    acts.delete(act);
    if (!acts.size) signal.removeEventListener('abort', doAll);
  };
}

/** Waits this many milliseconds. */
export type Pause = (delayMs: number) => Promise<void>;

/**
 * Does the work and settles as it does, or rejects with a {@link TimeoutError} or {@link AbortError} as soon as the time is
 * up or the caller's signal ends the call, even if the work goes on. The work gets a signal that is aborted at the end, and
 * a pause that never ends after it; it isn't started if the caller's signal was aborted before.
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
  let letGo: (() => void) | undefined;

  return new Promise<Result>((resolve, reject) => {
    const end = (error: unknown) => {
      reject(error);
      controller.abort(error);
    };
    const stop = () => end(new AbortError('Aborted.', { ...trace, cause: callerSignal?.reason }));
    if (callerSignal?.aborted) return stop();
    letGo = callerSignal && onAbort(callerSignal, stop);
    // With a longer delay than this, timers fire at once.
    after(Math.min(timeoutMs, 2_147_483_647), () =>
      end(new TimeoutError(`No answer within ${timeoutMs} ms.`, trace)),
    );
    work(controller.signal, (delayMs) => new Promise((resolve) => after(delayMs, resolve))).then(
      resolve,
      reject,
    );
  }).finally(() => {
    timers.forEach(clearTimeout);
    letGo?.();
  });
}
