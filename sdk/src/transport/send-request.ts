import {
  type CallTrace,
  ConfigurationError,
  ConnectionError,
  HookError,
  rootCauseOf,
  startTrace,
  type Trace,
} from '../errors/errors.ts';
import { TAKES_KEY } from '../generated/request-rules.ts';
import type { CallOptions, ResolvedOptions } from './client-options.ts';
import { type Pause, withDeadline } from './deadline.ts';
import { ACCESS_KEY_PATTERN, CALL_RULES } from './option-rules.ts';
import { definedEntries, readOptions } from './read-options.ts';
import { errorFromResponse, type ReceivedResponse, readText } from './response.ts';
import { isRetryable, retryDelayMs } from './retry-policy.ts';
import { userAgentHeader } from './user-agent.ts';

/** Request as it is sent on every attempt. */
interface RequestMessage {
  readonly method: string;
  readonly url: string;
  /** Headers of this call only, by lower-case name. */
  readonly headers?: Record<string, string>;
  readonly body?: string | null | undefined;
}

/**
 * Sends one logical request: with the key if the endpoint takes one, with retries where they are safe, within one deadline.
 * `message` builds the request and may throw a `ConfigurationError`; `read` turns the response into the result. Rejects only
 * with errors of this package, after calling the hook `onError`.
 */
export type Send = <Result>(
  message: (trace: Trace) => RequestMessage,
  read: (exchange: ReceivedResponse, trace: Trace) => Result,
  options?: CallOptions,
  idempotencyKey?: string,
) => Promise<Result>;

/** Creates the sender of a client. It is a closure, so that printing the client never shows the key. */
export const createSend =
  (client: ResolvedOptions): Send =>
  async (message, read, options, idempotencyKey) => {
    const trace = startTrace(idempotencyKey);
    try {
      const settings: ResolvedOptions = { ...client, ...readOptions(options, CALL_RULES, trace) };
      return await withDeadline(
        settings.timeoutMs,
        trace,
        async (signal, pause) =>
          read(await sendWithRetries(message(trace), settings, trace, signal, pause), trace),
        settings.signal,
      );
    } catch (failure) {
      // The hook `onError` gets a deadline too, so that no call hangs.
      await withDeadline(client.timeoutMs, trace, () => callHook(client.hooks, 'onError', trace, failure));
      throw failure;
    }
  };

/**
 * Sends a request, with retries. Every attempt sends the same body and so the same idempotency key. Returns the last
 * response whatever its status. Throws a {@link ConnectionError} if the last attempt got no response, and an {@link
 * UnexpectedAnswerError} for an oversized response. Errors of the key and of hooks end the call.
 */
async function sendWithRetries(
  { url, headers, ...message }: RequestMessage,
  settings: ResolvedOptions,
  trace: Trace,
  signal: AbortSignal,
  pause: Pause,
): Promise<ReceivedResponse> {
  const { apiKey, fetch: own, hooks } = settings;
  const call = `${message.method} ${url}`;
  const ownKey =
    TAKES_KEY.test(call) &&
    (typeof apiKey === 'function' ? await callHook(settings, 'apiKey', trace) : apiKey);
  const key = `${ownKey || ''}`.trim();
  if (!ACCESS_KEY_PATTERN.test(key)) throw new ConfigurationError('apiKey must return a key.', trace);
  // The key may be sent to https URLs and to this machine; `URL` has normalized the host.
  if (key && !settings.allowInsecure && !/^http(s|:\/\/(localhost|\[::1]|127[.\d]+)[:/])/.test(url))
    throw new ConfigurationError('apiKey needs https or allowInsecure.', trace);
  const redact = (text: string) => (key ? text.replaceAll(key, '[key]') : text);
  const init = {
    ...message,
    headers: {
      ...userAgentHeader(),
      ...(message.body && { 'content-type': 'application/json' }),
      ...Object.fromEntries(new Headers(definedEntries(settings.headers))),
      ...headers,
      ...(key && { authorization: `Bearer ${key}` }),
    },
    // Redirects could send the key and own headers to another host.
    redirect: key || settings.headers ? 'manual' : 'follow',
    signal,
  } as RequestInit;
  for (;;) {
    trace.attempts++;
    // Builds a Request only for a hook or a custom fetch; the global fetch builds its own.
    const request = (own || hooks) && new Request(url, init);
    await callHook(hooks, 'onRequest', trace, request);
    let response: Response | undefined;
    let text: string | null | undefined;
    let error: ConnectionError | undefined;
    try {
      const { status, headers, body } = await (request ? (own ?? fetch)(request) : fetch(url, init));
      trace.requestId = headers.get('x-request-id');
      // Reads the body within the attempt, so that a connection that breaks meanwhile is retried too.
      text = await readText(body, settings.maxAnswerBytes);
      text = text && redact(text);
      response = new Response(text || null, { status: status || 302, headers });
    } catch (thrown) {
      const [message, code] = rootCauseOf(thrown);
      error = new ConnectionError(redact(`No response: ${message}`), { ...trace, code: redact(code) });
    }
    const received = { response, text, redact } as ReceivedResponse;
    if (response) {
      if (text === null) throw errorFromResponse(received, trace);
      await callHook(hooks, 'onResponse', trace, response.clone());
    }
    const delayMs = retryDelayMs(trace.attempts, response?.headers);
    if (
      !isRetryable(call, response?.status, text as string, error?.code, trace.idempotencyKey) ||
      trace.attempts > settings.maxRetries ||
      // Fails now if the deadline would pass during the wait.
      trace.elapsedMs + delayMs >= settings.timeoutMs ||
      signal.aborted
    ) {
      if (error) throw error;
      return received;
    }
    await callHook(hooks, 'onRetry', trace, { delayMs, status: response?.status, error });
    await pause(delayMs);
  }
}

/**
 * Calls the owner's function of this name, if there is one, and awaits it. If the function fails, throws a {@link
 * HookError}. The error's message doesn't quote the failure, which may contain the key.
 */
async function callHook(
  owner: object | undefined,
  hook: string,
  trace: CallTrace,
  what?: unknown,
): Promise<unknown> {
  try {
    return await (owner as Record<string, ((...of: unknown[]) => unknown) | undefined> | undefined)?.[hook]?.(
      what,
      trace,
    );
  } catch (cause) {
    throw new HookError(`${hook} failed.`, {
      ...trace,
      hook,
      cause,
      failure: what instanceof Error ? what : undefined,
    });
  }
}
