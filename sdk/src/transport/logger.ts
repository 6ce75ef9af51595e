import { ApiError } from '../errors/api-errors.ts';
import type { CallTrace } from '../errors/errors.ts';
import type { Hooks } from './client-options.ts';

/** Destination of log lines, such as `console`. */
export interface Logger {
  /** Writes one line of the log. */
  debug(message: string): void;
}

/**
 * Returns hooks that log one line per response, network error, retry and failure. The lines contain neither the access
 * key nor bodies.
 *
 * @example
 * const client = new TrustDirectory({ baseUrl: 'https://trust.example', hooks: logTo(console) });
 */
export function logTo(logger: Logger): Hooks {
  const calls = new WeakMap<CallTrace, string>();
  /** Number of the attempt whose response was logged last, by call. */
  const logged = new WeakMap<CallTrace, number>();
  const note = (trace: CallTrace, event: unknown) => {
    const { attempts, elapsedMs } = trace;
    logger.debug(`${calls.get(trace) ?? 'nothing sent'} #${attempts} ${elapsedMs.toFixed(0)} ms: ${event}`);
  };
  return {
    onRequest({ method, url, headers }, trace) {
      const key = headers.get('authorization')?.slice('Bearer '.length);
      calls.set(trace, `${method} ${key ? url.replaceAll(key, '[key]') : url}`);
    },
    onResponse({ status }, trace) {
      logged.set(trace, trace.attempts);
      note(trace, status);
    },
    onRetry({ delayMs, error }, trace) {
      if (error) note(trace, error);
      note(trace, `again in ${Math.round(delayMs)} ms`);
    },
    onError(error, trace) {
      // `onResponse` has logged the responses of API errors, except one above `maxAnswerBytes`.
      if (!(error instanceof ApiError) || logged.get(trace) !== trace.attempts) note(trace, error);
    },
  };
}
