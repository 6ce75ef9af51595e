import type { CallTrace, ConnectionError, TrustDirectoryError } from '../errors/errors.ts';
import { CLIENT_RULES } from './option-rules.ts';
import { type OptionRules, readOptions } from './read-options.ts';

/** Second argument of a {@link Fetch} function: the request without its URL. */
export interface FetchInit {
  readonly method: string;
  /** Headers by lower-case name, including the access key. */
  readonly headers: Record<string, string>;
  readonly body?: string | null;
  readonly redirect: 'manual' | 'follow';
  readonly signal: AbortSignal;
}

/** Parts of a response that the client reads. */
export interface FetchedResponse {
  readonly status: number;
  /** Headers; they must be iterable, as those of all common fetch functions are. */
  readonly headers: Pick<Headers, 'get'>;
  /**
   * Web stream, Node stream, or any other value that the `Response` constructor accepts. If absent, `text` is called.
   */
  readonly body?: unknown;
  /** Resolves to the whole body. */
  text(): Promise<string>;
}

/**
 * Function that sends a request: `globalThis.fetch`, the `fetch` of undici, node-fetch or another package, or your own
 * wrapper of one.
 */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchedResponse>;

/** Headers in any form that `fetch` accepts: an object, a `Headers` object, or pairs. */
export type HeadersInput = Readonly<Record<string, string>> | Headers | Iterable<readonly [string, string]>;

/** Access key, or a function that returns the current one; `null` means none. */
export type ApiKey = string | null | (() => string | null | Promise<string | null>);

/** Options of a client. All are optional, except `baseUrl` without `TRUST_DIRECTORY_URL`. */
export interface TrustDirectoryOptions {
  /**
   * Access key (`svc_live_…`), or a sync or async function that returns it, called before each call that needs a key.
   * Public reads never send it. Default: the environment variable `TRUST_DIRECTORY_API_KEY`; `null` disables this
   * default.
   */
  apiKey?: ApiKey | undefined;
  /**
   * Base URL of the service: `http` or `https`, optionally with a path. Default: the environment variable
   * `TRUST_DIRECTORY_URL`; without both, the constructor throws.
   */
  baseUrl?: string | undefined;
  /** Sends the requests, one call for each attempt. Default: `globalThis.fetch` at the time of the call. */
  fetch?: Fetch | undefined;
  /**
   * Time limit of a call in milliseconds, including attempts, waits and hooks. Default: the environment variable
   * `TRUST_DIRECTORY_TIMEOUT_MS`, or 50,000.
   */
  timeoutMs?: number | undefined;
  /**
   * Maximum retries after the first attempt; 0 disables them. Default: the environment variable
   * `TRUST_DIRECTORY_MAX_RETRIES`, or 2.
   */
  maxRetries?: number | undefined;
  /** Maximum size of a response body in bytes, after decompression; larger ones are an error. Default: 32 MiB. */
  maxAnswerBytes?: number | undefined;
  /**
   * Allows sending the key unencrypted (`http`) to another machine, where others can read it. Default: true if the
   * environment variable `TRUST_DIRECTORY_ALLOW_INSECURE` has any text, even `false`.
   */
  allowInsecure?: boolean | undefined;
  /** Functions called on every request, response, retry and error. */
  hooks?: Hooks | undefined;
  /**
   * Headers sent with every call; they override those of this package, except `Authorization`, which is refused. If
   * headers are set here or a key is sent, redirects are not followed.
   */
  headers?: HeadersInput | undefined;
}

/** Hook function; a returned promise is awaited. */
type Hook<Event> = (event: Event, trace: CallTrace) => unknown;

/** A retry that is about to start. */
export interface Retry {
  /** Milliseconds until the attempt. */
  readonly delayMs: number;
  /** Status of the failed response; undefined if there was no response. */
  readonly status: number | undefined;
  /** Network error; undefined if there was a response. */
  readonly error: ConnectionError | undefined;
}

/**
 * Functions called during a call. Each is awaited. Its second argument is the call's trace: attempts so far, elapsed
 * time and ids. The trace is one object per call, so it can be the key of a `WeakMap`. If a hook fails, the call ends
 * with a `HookError` and is not retried.
 *
 * @example
 * const hooks: Hooks = {
 *   onRequest: async ({ headers }, { attempts }) => headers.set('X-Attempt', String(attempts)),
 *   onResponse: ({ status }, { requestId, elapsedMs }) => console.log(status, requestId, elapsedMs),
 *   onRetry: ({ delayMs, status }) => console.log(`${status}: again in ${delayMs} ms`),
 *   onError: ({ name }, { elapsedMs }) => console.error(name, elapsedMs),
 * };
 */
export interface Hooks {
  /** Called before each attempt with the request, which contains the key. */
  onRequest?: Hook<Request> | undefined;
  /** Called after each response that is within `maxAnswerBytes`, with a readable copy. */
  onResponse?: Hook<Response> | undefined;
  /** Called before each wait for a retry. */
  onRetry?: Hook<Retry> | undefined;
  /** Called once before the call rejects. Has a time limit of its own: the client's `timeoutMs`. */
  onError?: Hook<TrustDirectoryError> | undefined;
}

/** Options of one call; they override those of the client. */
export interface CallOptions
  extends Pick<TrustDirectoryOptions, 'apiKey' | 'timeoutMs' | 'maxRetries' | 'maxAnswerBytes' | 'headers'> {
  /** Aborts the call, even between attempts; it rejects with an {@link AbortError}. */
  signal?: AbortSignal | undefined;
}

/** Validated options of a client or call, with defaults. */
export interface ResolvedOptions extends TrustDirectoryOptions, CallOptions {
  /** Null without a key. */
  readonly apiKey: ApiKey;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxAnswerBytes: number;
}

/** Validates options and adds defaults. Throws a {@link ConfigurationError} that shows neither key nor URL. */
export function resolveOptions(
  options?: TrustDirectoryOptions,
  rules: OptionRules = CLIENT_RULES,
): ResolvedOptions {
  const settings = readOptions(options, rules) as ResolvedOptions;
  return { ...settings, baseUrl: new URL(settings.baseUrl).href };
}
