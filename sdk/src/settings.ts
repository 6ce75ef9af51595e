import { environmentVariable } from './environment.ts';
import { ConfigurationError } from './errors.ts';

/** A function that sends a request, such as `globalThis.fetch`. The request carries its own abort signal. */
export type Fetch = (request: Request) => Promise<Response>;

/** How the client behaves. Every member is optional. */
export interface TrustDirectoryOptions {
  /**
   * Access key (`svc_live_…`), sent only with registrations and operations; public reads never carry it. Default: the
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
  /** Milliseconds that one call may take, all attempts and waits together. Default 50,000. */
  timeoutMs?: number | undefined;
  /** Attempts after the first one, where the failure allows them. Default 2; 0 switches retries off. */
  maxRetries?: number | undefined;
  /** Allows the key to be sent over plain `http` to another machine, where anyone on the way can read it. */
  allowInsecure?: boolean | undefined;
}

/** What one call may set for itself. */
export interface CallOptions {
  /** Ends the call at once, also in the middle of a wait between attempts. The call rejects with an {@link AbortError}. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that this call may take, all attempts and waits together. Default: the client's. */
  timeoutMs?: number | undefined;
  /** Attempts after the first one. Default: the client's. */
  maxRetries?: number | undefined;
}

/** Checked options of a client. */
export interface Settings {
  readonly apiKey: string | null;
  readonly baseUrl: string;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly maxRetries: number;
  /** Whether `baseUrl` is one that the key may be sent to. */
  readonly keyMayTravel: boolean;
}

/** An `http` or `https` address without user name, password, query and fragment. */
const BASE_URL = /^https?:\/\/[^@?#]+$/;

/** Addresses, as `URL` spells them, that nobody on the way can read along: encrypted, or never leaving this machine. */
const PROTECTED = /^https:|^http:\/\/(localhost|\[::1]|127(\.\d+){3})[:/]/;

/** Options with their defaults. Throws a {@link ConfigurationError}, whose message holds neither key nor URL. */
export function readSettings(options: TrustDirectoryOptions): Settings {
  const { apiKey, baseUrl, fetch, timeoutMs = 50_000, maxRetries = 2, allowInsecure = false } = options;
  const url = baseUrl ?? environmentVariable('TRUST_DIRECTORY_URL') ?? 'http://127.0.0.1:4000';
  const href = URL.canParse(url) ? new URL(url).href : '';
  if (!BASE_URL.test(href)) {
    throw new ConfigurationError('baseUrl must be a plain http(s) URL.');
  }
  return {
    apiKey: readKey(apiKey === undefined ? environmentVariable('TRUST_DIRECTORY_API_KEY') : apiKey),
    baseUrl: href,
    fetch: fetch ?? ((request) => globalThis.fetch(request)),
    timeoutMs,
    maxRetries,
    keyMayTravel: allowInsecure || PROTECTED.test(href),
  };
}

function readKey(text: string | null | undefined): string | null {
  const key = text?.trim() || null;
  // Refused here, because fetch would quote the whole header in its own error.
  if (key && !/^[!-~]+$/.test(key)) throw new ConfigurationError('apiKey is no access key.');
  return key;
}
