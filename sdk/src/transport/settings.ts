import type { CallTrace, ConnectionError, TrustDirectoryError } from '../errors/errors.ts';
import { CLIENT_RULES } from './option-rules.ts';
import { type Rules, readOptions } from './options.ts';

/** A function that sends a request, such as `globalThis.fetch`. The request carries its own abort signal. */
export type Fetch = (request: Request) => Promise<Response>;

/** An access key, or a function that returns the one to use now; `null` means none. */
export type ApiKey = string | null | (() => string | null | Promise<string | null>);

/** How the client behaves. Every member is optional, except `baseUrl` if the environment has none. */
export interface TrustDirectoryOptions {
  /**
   * Access key (`svc_live_…`), or a function that returns it, async or not, called before each call that uses a key.
   * Public reads never send it. Default: the environment variable `TRUST_DIRECTORY_API_KEY`. `null` means none, whatever
   * the environment says.
   */
  apiKey?: ApiKey | undefined;
  /**
   * Where the service answers: an `http` or `https` URL, with a path if the service lies under one. Default: the
   * environment variable `TRUST_DIRECTORY_URL`; without one there is no client.
   */
  baseUrl?: string | undefined;
  /** Sends the requests. Default: `globalThis.fetch` as it is at the time of the call. */
  fetch?: Fetch | undefined;
  /**
   * Milliseconds that one call may take, all attempts, waits and hooks together. Default: the environment variable
   * `TRUST_DIRECTORY_TIMEOUT_MS`, else 50,000.
   */
  timeoutMs?: number | undefined;
  /**
   * Attempts after the first one, where the failure allows them; 0 switches retries off. Default: the environment
   * variable `TRUST_DIRECTORY_MAX_RETRIES`, else 2.
   */
  maxRetries?: number | undefined;
  /** An answer with a larger body, unpacked, is refused; in bytes. Default: 32 MiB. */
  maxAnswerBytes?: number | undefined;
  /**
   * Allows the key to be sent over plain `http` to another machine, where anyone on the way can read it. Default: whether
   * the environment variable `TRUST_DIRECTORY_ALLOW_INSECURE` is set.
   */
  allowInsecure?: boolean | undefined;
  /** Called with every request, answer, wait and error. */
  hooks?: Hooks | undefined;
  /** Sent along with each call, over those of this package. They aren't sent on to where a redirect points. */
  headers?: Readonly<Record<string, string>> | undefined;
}

/** If a hook returns a promise, it is awaited. */
type Hook<What> = (what: What, trace: CallTrace) => unknown;

/** Another attempt that is about to be made. */
export interface Retry {
  /** Milliseconds until then. */
  readonly delayMs: number;
  /** Status of the answer that wasn't good enough; undefined where none came. */
  readonly status: number | undefined;
  /** Why no answer came; undefined where one did. */
  readonly error: ConnectionError | undefined;
}

/**
 * What happens during a call. Each is awaited, and gets the time that the call has taken so far; the trace is the same object
 * throughout a call, so a `WeakMap` can hold what belongs to it. If one fails, the call ends with a `HookError`, without
 * another attempt.
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
  /** Before each attempt, with the request as it is sent: the key is in it. */
  onRequest?: Hook<Request> | undefined;
  /** After each answer, with a copy of it that can be read. */
  onResponse?: Hook<Response> | undefined;
  /** Before each wait for another attempt. */
  onRetry?: Hook<Retry> | undefined;
  /** Once, before the call rejects. It has `timeoutMs` of its own. */
  onError?: Hook<TrustDirectoryError> | undefined;
}

/** What one call can set for itself, instead of what its client has. */
export interface CallOptions
  extends Pick<TrustDirectoryOptions, 'apiKey' | 'timeoutMs' | 'maxRetries' | 'maxAnswerBytes' | 'headers'> {
  /** Ends the call at once, even during a wait between attempts. The call rejects with an {@link AbortError}. */
  signal?: AbortSignal | undefined;
}

/** Checked options of a client, or of one call. */
export interface Settings extends TrustDirectoryOptions, CallOptions {
  /** Null where there is none. */
  readonly apiKey: ApiKey;
  readonly baseUrl: string;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly maxAnswerBytes: number;
}

/** Options with their defaults. Throws a {@link ConfigurationError}, whose message holds neither key nor URL. */
export function readSettings(options?: TrustDirectoryOptions, rules: Rules = CLIENT_RULES): Settings {
  const settings = readOptions(options, rules) as Settings;
  return { ...settings, baseUrl: new URL(settings.baseUrl).href };
}
