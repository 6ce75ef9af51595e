import type { RepeatWrite } from '../contract/endpoint-types.ts';
import {
  ConfigurationError,
  ConnectionError,
  HookError,
  rootCauseOf,
  startTrace,
  type Trace,
} from '../errors/errors.ts';
import { TAKES_KEY } from '../generated/request-rules.ts';
import type { CallOptions, FetchInit, ResolvedOptions } from './client-options.ts';
import { withDeadline } from './deadline.ts';
import { ACCESS_KEY_PATTERN, CALL_RULES } from './option-rules.ts';
import { readOptions } from './read-options.ts';
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
 * Sends one logical request: with the key if the endpoint accepts one, with retries if they are safe, within one
 * deadline. `message` builds the request and may throw a `ConfigurationError`; `read` turns the response into the
 * result. Rejects only with errors of this package, after calling the hook `onError`.
 */
export type Send = <Result>(
  message: () => RequestMessage,
  read: (exchange: ReceivedResponse, trace: Trace) => Result,
  options?: CallOptions,
  idempotencyKey?: string,
  repeatWrite?: RepeatWrite,
) => Promise<Result>;

/**
 * Creates the sender of a client. It is a closure, so that printing the client never shows the key.
 *
 * Every attempt of a call sends the same body and so the same idempotency key. The last response is passed to `read`
 * even if it is an error. Throws a {@link ConnectionError} if the last attempt got no response, and an {@link
 * UnexpectedAnswerError} for an oversized response. Errors of hooks and of a function `apiKey` end the call.
 */
export const createSend =
  (client: ResolvedOptions): Send =>
  async (message, read, options, idempotencyKey, repeatWrite) => {
    const trace = startTrace(idempotencyKey);
    const { hooks } = client;
    /**
     * Calls the owner's function with this name, if it has one, and awaits the result. If the function fails, throws a
     * {@link HookError}. The error's message doesn't quote the failure, which may contain the key.
     */
    const callHook = async (hook: string, what?: unknown, owner: object | undefined = hooks) => {
      try {
        return await (owner as Record<string, ((...of: unknown[]) => unknown) | undefined> | undefined)?.[
          hook
        ]?.(what, trace);
      } catch (cause) {
        throw new HookError(`${hook} failed.`, {
          ...trace,
          hook,
          cause,
          failure: what instanceof Error ? what : undefined,
        });
      }
    };
    try {
      const settings: ResolvedOptions = { ...client, ...readOptions(options, CALL_RULES, true) };
      return await withDeadline(
        settings.timeoutMs,
        trace,
        async (signal, pause) => {
          const { url, headers: ownHeaders, ...content } = message();
          const { apiKey, maxAnswerBytes } = settings;
          const call = `${content.method} ${url}`;
          const ownKey =
            TAKES_KEY.test(call) &&
            (typeof apiKey === 'function' ? await callHook('apiKey', undefined, settings) : apiKey);
          const key = `${ownKey || ''}`.trim();
          if (!ACCESS_KEY_PATTERN.test(key)) throw new ConfigurationError('apiKey must return a key.');
          // Without `allowInsecure`, only https URLs and this machine get the key. `URL` has normalized the host.
          if (key && !settings.allowInsecure && !/^http(s|:\/\/(localhost|\[::1]|127[.\d]+)[:/])/.test(url))
            throw new ConfigurationError('apiKey needs https or allowInsecure.');
          const redact = (text: string) => (key ? text.replaceAll(key, '[key]') : text);
          const init = {
            ...content,
            headers: {
              ...userAgentHeader(),
              ...(content.body && { 'content-type': 'application/json' }),
              ...Object.fromEntries(new Headers(settings.headers as HeadersInit)),
              ...ownHeaders,
              ...(key && { authorization: `Bearer ${key}` }),
            },
            // A redirect could send the key and custom headers to another host.
            redirect: key || settings.headers ? 'manual' : 'follow',
            signal,
          } as FetchInit;
          for (;;) {
            trace.attempts++;
            // A hook may change the headers of a Request. They are sent as an object, which every fetch function takes.
            const request = hooks && new Request(url, init);
            await callHook('onRequest', request);
            let response: Response | undefined;
            let text: string | null | undefined;
            let error: ConnectionError | undefined;
            try {
              const sent = await (client.fetch ?? fetch)(url, {
                ...init,
                ...(request && { headers: Object.fromEntries(request.headers) }),
              });
              const { status, headers } = sent;
              trace.requestId = headers.get('x-request-id');
              // Reads the body within the attempt, so that a connection that breaks meanwhile is retried too.
              text = await readText((sent.body as BodyInit) ?? (await sent.text()), maxAnswerBytes);
              text = text && redact(text);
              response = new Response(text || null, { status: status || 302, headers: headers as Headers });
            } catch (thrown) {
              const [message, code] = rootCauseOf(thrown);
              error = new ConnectionError(redact(`No response: ${message}`), {
                ...trace,
                code: redact(code),
              });
            }
            const received = { response, text, redact } as ReceivedResponse;
            if (response) {
              if (text === null) throw errorFromResponse(received);
              await callHook('onResponse', response.clone());
            }
            const delayMs = retryDelayMs(trace.attempts, response?.headers);
            if (
              !isRetryable(
                call,
                response?.status,
                text as string,
                error?.code,
                idempotencyKey,
                repeatWrite,
              ) ||
              trace.attempts > settings.maxRetries ||
              // Fails now if the deadline would pass during the wait.
              trace.elapsedMs + delayMs >= settings.timeoutMs ||
              signal.aborted
            ) {
              if (error) throw error;
              return read(received, trace);
            }
            await callHook('onRetry', { delayMs, status: response?.status, error });
            await pause(delayMs);
          }
        },
        settings.signal,
      );
    } catch (failure) {
      Object.assign(failure as object, trace);
      // The hook `onError` gets a deadline too, so that no call hangs.
      await withDeadline(client.timeoutMs, trace, () => callHook('onError', failure));
      throw failure;
    }
  };
