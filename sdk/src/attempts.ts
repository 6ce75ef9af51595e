import { pause } from './deadline.ts';
import { ConnectionError, type Trace } from './errors.ts';
import { rootCauseOf } from './failure.ts';
import { mayRepeatAfterAnswer, mayRepeatAfterFailure, retryDelayMs } from './retry-rules.ts';
import type { Settings } from './settings.ts';

/** How one message is sent, each time. */
export interface AttemptPlan extends Pick<Settings, 'fetch' | 'hooks' | 'maxRetries'> {
  readonly url: string;
  readonly init: RequestInit & { readonly method: string; readonly signal: AbortSignal };
  /** When the time is up, as `performance.now()` counts. */
  readonly endsAt: number;
  readonly trace: Trace;
  /** Removes the access key from a text. */
  readonly redact: (text: string) => string;
  /** Told what happened, in a few words. */
  readonly note: (event: unknown) => void;
}

/** What came back. */
export interface Exchange {
  /** The answer; its body has been read. */
  readonly answer: Response;
  /** Its status, as far as the runtime tells: a browser hides that of a redirect which it may not follow. */
  readonly status: number;
  /** Its body, without the key if that was in it. */
  readonly text: string;
}

/**
 * Sends a message, and again where that may help: the same message each time, so the same idempotency key. Ends with the
 * last answer, whatever its status, or throws a {@link ConnectionError} where the last attempt got none.
 */
export async function fetchRepeatedly(plan: AttemptPlan): Promise<Exchange> {
  const { url, init, trace, note, endsAt, maxRetries } = plan;
  for (;;) {
    const outcome = await attempt(plan);
    const failed = outcome instanceof ConnectionError;
    note(failed ? outcome : outcome.status);
    if (!failed && outcome.answer.ok) return outcome;
    const delayMs = retryDelayMs(trace.attempts, failed ? undefined : outcome.answer.headers);
    // A wait that the deadline would cut short isn't begun: the caller gets the reason at once.
    const isLast =
      trace.attempts > maxRetries || performance.now() + delayMs >= endsAt || init.signal.aborted;
    const call = `${init.method} ${url}`;
    const mayHelp = failed
      ? mayRepeatAfterFailure(call, outcome.code)
      : mayRepeatAfterAnswer(call, outcome.status, outcome.text);
    if (isLast || !mayHelp) {
      if (failed) throw outcome;
      return outcome;
    }
    note(`again in ${Math.round(delayMs)} ms`);
    await pause(delayMs, init.signal);
  }
}

/** Sends it once; answers the error where no answer came. What a hook throws is the caller's own, and final. */
async function attempt({
  url,
  init,
  fetch,
  hooks,
  trace,
  redact,
}: AttemptPlan): Promise<Exchange | ConnectionError> {
  trace.attempts += 1;
  // Without anybody to see it, a request need not be made twice: the runtime makes its own.
  const request = fetch || hooks ? new Request(url, init) : undefined;
  if (request) hooks?.onRequest?.(request, trace);
  let exchange: Exchange;
  try {
    const answer = await (request ? (fetch ?? globalThis.fetch)(request) : globalThis.fetch(url, init));
    // Read within the attempt: a connection that breaks in the middle of an answer is a failure too.
    exchange = { answer, status: answer.status || 302, text: redact(await answer.text()) };
  } catch (thrown) {
    const { message, code } = rootCauseOf(thrown);
    return new ConnectionError(redact(`No answer: ${message}`), { ...trace, code: redact(code) });
  }
  trace.requestId = exchange.answer.headers.get('x-request-id');
  hooks?.onResponse?.(exchange.answer, trace);
  return exchange;
}
