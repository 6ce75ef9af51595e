import { ConfigurationError, ConnectionError, type Trace, traceOf } from '../errors/errors.ts';
import { rootCauseOf } from '../errors/failure.ts';
import { TAKES_KEY } from '../generated/request-rules.ts';
import { ask } from './ask.ts';
import { clientName } from './client-name.ts';
import { type Pause, withDeadline } from './deadline.ts';
import { errorOfAnswer } from './error-of-answer.ts';
import { type Exchange, readable, textWithin } from './exchange.ts';
import { given } from './given.ts';
import { CALL_RULES, KEY } from './option-rules.ts';
import { readOptions } from './options.ts';
import { mayRepeat, retryDelayMs } from './retry-rules.ts';
import type { CallOptions, Settings } from './settings.ts';

/** What is sent, and sent again if need be. */
interface Message {
  readonly method: string;
  readonly url: string;
  /** Those that the program gave for this call alone, by lower-case names. */
  readonly headers?: Record<string, string>;
  readonly body?: string | null;
}

/**
 * Sends one message of the contract as one logical request: with the key where the endpoint takes it, repeated where that
 * is safe, within one deadline. `message` may throw a `ConfigurationError`. Returns what `read` makes of the service's answer; rejects only with errors of this
 * package, after the hook for errors has seen them.
 */
export type Send = <Result>(
  message: (trace: Trace) => Message,
  read: (exchange: Exchange, trace: Trace) => Result,
  options?: CallOptions,
  trace?: Trace,
) => Promise<Result>;

/** Binds sending to a client's settings. A function, so that printing a client never shows its key. */
export const createSend =
  (client: Settings): Send =>
  async (message, read, options, trace = traceOf()) => {
    try {
      const settings: Settings = { ...client, ...readOptions(options, CALL_RULES, trace) };
      return await withDeadline(
        settings.timeoutMs,
        trace,
        async (signal, pause) => read(await exchanged(message(trace), settings, trace, signal, pause), trace),
        settings.signal,
      );
    } catch (failure) {
      // It has as much time as a call has, so that no call hangs.
      await withDeadline(client.timeoutMs, trace, () => ask(client.hooks, 'onError', trace, failure));
      throw failure;
    }
  };

/**
 * Sends a message, and again where that may help: the same message each time, so the same idempotency key. Ends with the
 * last answer, whatever its status, or throws a {@link ConnectionError} if the last attempt got none.
 */
async function exchanged(
  { url, headers, ...message }: Message,
  settings: Settings,
  trace: Trace,
  signal: AbortSignal,
  pause: Pause,
): Promise<Exchange> {
  const { fetch: own, hooks, maxAnswerBytes, maxRetries, timeoutMs } = settings;
  const call = `${message.method} ${url}`;
  const key = TAKES_KEY.test(call) ? await keyFor(url, settings, trace) : '';
  const redact = (text: string) => (key ? text.replaceAll(key, '[key]') : text);
  const init: RequestInit = {
    ...message,
    headers: {
      ...clientName(),
      ...(message.body && { 'content-type': 'application/json' }),
      ...Object.fromEntries(new Headers(given(settings.headers))),
      ...headers,
      ...(key && { authorization: `Bearer ${key}` }),
    },
    // The key goes only to the host that it is meant for, not to where a redirect points.
    redirect: key || settings.headers ? 'manual' : 'follow',
    signal,
  };
  for (;;) {
    trace.attempts += 1;
    // If nobody looks at it, the request isn't built here: the runtime builds its own.
    const request = (own || hooks) && new Request(url, init);
    await ask(hooks, 'onRequest', trace, request);
    let came: Exchange | undefined;
    let error: ConnectionError | undefined;
    try {
      const answer = await (request ? (own ?? fetch)(request) : fetch(url, init));
      trace.requestId = answer.headers.get('x-request-id');
      // Read within the attempt: a connection that breaks in the middle of an answer is a failure too.
      const text = await textWithin(maxAnswerBytes, answer);
      came = { answer, status: answer.status || 302, text: text && redact(text), redact };
    } catch (thrown) {
      const { message, code } = rootCauseOf(thrown);
      error = new ConnectionError(redact(`No answer: ${message}`), { ...trace, code: redact(code) });
    }
    if (came) {
      if (came.text === null) throw errorOfAnswer(came, trace);
      await ask(hooks, 'onResponse', trace, readable(came));
    }
    const delayMs = retryDelayMs(trace.attempts, came?.answer.headers);
    if (
      !mayRepeat(call, came, error?.code, trace.idempotencyKey) ||
      trace.attempts > maxRetries ||
      // A wait that the deadline would cut short isn't started: the caller gets the reason at once.
      trace.elapsedMs + delayMs >= timeoutMs ||
      signal.aborted
    ) {
      if (came) return came;
      throw error;
    }
    await ask(hooks, 'onRetry', trace, { delayMs, status: came?.status, error });
    await pause(delayMs);
  }
}

/** The key to use now; empty where there is none. */
async function keyFor(url: string, settings: Settings, trace: Trace): Promise<string> {
  const { apiKey, allowInsecure } = settings;
  const told = typeof apiKey === 'function' ? await ask(settings, 'apiKey', trace) : apiKey;
  const key = `${told ?? ''}`.trim();
  if (!KEY.test(key)) throw new ConfigurationError('apiKey must tell an access key.', trace);
  // Addresses, as `URL` spells them, that nobody on the way can read: encrypted, or on this machine.
  if (key && !allowInsecure && !/^https:|^http:\/\/(localhost|\[::1]|127(\.\d+){3})[:/]/.test(url))
    throw new ConfigurationError('apiKey needs https, or allowInsecure.', trace);
  return key;
}
