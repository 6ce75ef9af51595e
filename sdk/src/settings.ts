import { environmentVariable } from './environment.ts';
import { type CallTrace, ConfigurationError } from './errors.ts';

/** A function that sends a request, such as `globalThis.fetch`. The request carries its own abort signal. */
export type Fetch = (request: Request) => Promise<Response>;

/** How the client behaves. Every member is optional. */
export interface TrustDirectoryOptions {
  /**
   * Access key (`svc_live_…`), sent only where the service takes one; public reads never carry it. Default: the
   * environment variable `TRUST_DIRECTORY_API_KEY`. `null` means none, whatever the environment says.
   */
  apiKey?: string | null | undefined;
  /**
   * Where the service answers: an `http` or `https` URL, with a path if the service lies under one. Default: the
   * environment variable `TRUST_DIRECTORY_URL`, else `http://127.0.0.1:4000`.
   */
  baseUrl?: string | undefined;
  /** Sends the requests. Default: `globalThis.fetch` as it is at the time of the call. */
  fetch?: Fetch | undefined;
  /**
   * Milliseconds that one call may take, all attempts and waits together. Default: the environment variable
   * `TRUST_DIRECTORY_TIMEOUT_MS`, else 50,000.
   */
  timeoutMs?: number | undefined;
  /**
   * Attempts after the first one, where the failure allows them; 0 switches retries off. Default: the environment
   * variable `TRUST_DIRECTORY_MAX_RETRIES`, else 2.
   */
  maxRetries?: number | undefined;
  /**
   * Allows the key to be sent over plain `http` to another machine, where anyone on the way can read it. Default: whether
   * the environment variable `TRUST_DIRECTORY_ALLOW_INSECURE` is set.
   */
  allowInsecure?: boolean | undefined;
  /**
   * Told in one line of each attempt and wait, without key and bodies; `console` will do. Default: `console` where the
   * environment variable `TRUST_DIRECTORY_DEBUG` is set, else nobody.
   */
  logger?: Logger | undefined;
  /** Called with every request, answer and wait. */
  hooks?: Hooks | undefined;
  /** Asks the mock server for one answer; a real server takes no notice of it. */
  mock?: MockAnswer | undefined;
}

/** Whoever wants to read along. */
export interface Logger {
  /** Takes one line. */
  debug(message: string): void;
}

/**
 * What happens beneath a call. What a hook throws ends the call, as it is and without another attempt.
 *
 * @example
 * const hooks: Hooks = {
 *   onRequest: ({ headers }, { attempts }) => headers.set('X-Attempt', String(attempts)),
 *   onResponse: ({ status }, { requestId }) => console.log(status, requestId),
 * };
 */
export interface Hooks {
  /** Before each attempt, with the request as it is sent: the key is in it. */
  onRequest?: ((request: Request, trace: CallTrace) => void) | undefined;
  /** After each answer; its body has been read. */
  onResponse?: ((response: Response, trace: CallTrace) => void) | undefined;
}

/**
 * Which answer the mock server shall give: one of the contract's examples, or any of a status.
 *
 * @example
 * await client.agents.list({}, { mock: { code: 429 } });
 */
export interface MockAnswer {
  example?: string | undefined;
  code?: number | undefined;
  /** Milliseconds that the mock waits before it answers, a minute at most. */
  delay?: number | undefined;
}

/** What one call may set for itself; the client's own settings are the defaults. */
export interface CallOptions extends Pick<TrustDirectoryOptions, 'timeoutMs' | 'maxRetries' | 'mock'> {
  /** Ends the call at once, also in the middle of a wait between attempts. The call rejects with an {@link AbortError}. */
  signal?: AbortSignal | undefined;
}

/** Checked options of a client. */
export interface Settings {
  /** Empty where there is none. */
  readonly apiKey: string;
  readonly baseUrl: string;
  /** Undefined for the runtime's own. */
  readonly fetch: Fetch | undefined;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  readonly logger: Logger | undefined;
  readonly hooks: Hooks | undefined;
  readonly mock: MockAnswer | undefined;
  /** Whether `baseUrl` is one that the key may be sent to. */
  readonly keyMayTravel: boolean;
}

/** An `http` or `https` address without user name, password, query and fragment. */
const BASE_URL = /^https?:\/\/[^@?#]+$/;

/** Addresses, as `URL` spells them, that nobody on the way can read along: encrypted, or never leaving this machine. */
const PROTECTED = /^https:|^http:\/\/(localhost|\[::1]|127(\.\d+){3})[:/]/;

/** Options with their defaults. Throws a {@link ConfigurationError}, whose message holds neither key nor URL. */
export function readSettings(options: TrustDirectoryOptions): Settings {
  const {
    apiKey = environmentVariable('API_KEY'),
    baseUrl = environmentVariable('URL') ?? 'http://127.0.0.1:4000',
    fetch,
    timeoutMs = Number(environmentVariable('TIMEOUT_MS') ?? 50_000),
    maxRetries = Number(environmentVariable('MAX_RETRIES') ?? 2),
    allowInsecure = environmentVariable('ALLOW_INSECURE'),
    logger = environmentVariable('DEBUG') ? console : undefined,
    hooks,
    mock,
  } = options;
  const href = URL.canParse(baseUrl) ? new URL(baseUrl).href : '';
  requireThat(BASE_URL.test(href), 'baseUrl must be a plain http(s) URL.');
  const key = apiKey?.trim() ?? '';
  // Refused here, because fetch would quote the whole header in its own error.
  requireThat(/^[!-~]*$/.test(key), 'apiKey must be an access key.');
  // Also refuses NaN: a limit that is no number would be none at all.
  requireThat(timeoutMs >= 0 && maxRetries >= 0, 'timeoutMs and maxRetries must be numbers.');
  const keyMayTravel = !!allowInsecure || PROTECTED.test(href);
  return { apiKey: key, baseUrl: href, fetch, timeoutMs, maxRetries, logger, hooks, mock, keyMayTravel };
}

function requireThat(isFine: boolean, complaint: string): void {
  if (!isFine) throw new ConfigurationError(complaint);
}
