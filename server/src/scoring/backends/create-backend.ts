import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import type { Dispatcher, Pool } from 'undici';
import { skipContinue } from '../../hosts/client/read-response.ts';
import type { Config } from '../../platform/config/load-config.ts';
import { EMBEDDED_SOURCE } from '../embedded/current-method.ts';
import { embeddedBackend } from '../embedded/embedded-backend.ts';
import type { BackendScore, ScoreRequest, ScoringBackend } from '../scoring-backend.ts';
import { BackendBusy } from './backend-reply.ts';

/** A response that was read completely. */
interface BackendResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Lowest status code of a final response. Lower codes are informational (1xx) and precede the final response. */
const FIRST_FINAL_STATUS = 200;

const utf8 = new TextDecoder();

/**
 * Sends one request and reads the whole response, because an unread response would occupy its connection. Uses no
 * streams, because for a small response they would double the time. Rejects with the signal's reason or with the
 * connection's error.
 */
function sendRequest(
  pool: Pool,
  call: Dispatcher.DispatchOptions,
  signal: AbortSignal,
): Promise<BackendResponse> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | undefined;
    let begun = { status: 0, headers: {} as IncomingHttpHeaders };
    const pieces: Buffer[] = [];
    // A request that still waits for a connection is dropped, so it never reaches the backend.
    const onAbort = () => {
      controller?.abort(signal.reason);
      reject(signal.reason);
    };
    const end = () => signal.removeEventListener('abort', onAbort);
    signal.addEventListener('abort', onAbort);
    pool.dispatch(call, {
      onRequestStart(started) {
        controller = started;
        if (signal.aborted) started.abort(signal.reason);
      },
      onResponseStart(_controller, status, headers) {
        if (status >= FIRST_FINAL_STATUS) begun = { status, headers };
      },
      onResponseData(_controller, piece) {
        pieces.push(piece);
      },
      onResponseEnd() {
        end();
        resolve({ ...begun, text: utf8.decode(Buffer.concat(pieces)) });
      },
      onResponseError(_controller, error) {
        end();
        reject(error);
      },
    });
  });
}

/** A backend that its owner must close. */
export interface ClosableBackend extends ScoringBackend {
  /** Closes its connections and aborts requests in flight. */
  close(): Promise<void>;
}

const ANSWER_LIMIT_BYTES = 256 * 1024;

/** Maximum connections; further calls wait for one within their own timeout. */
const MOST_CONNECTIONS = 64;

const CONNECT_TIMEOUT_MS = 10_000;

/**
 * Time after which an idle connection is closed. It is shorter than in common servers and proxies, so that they rarely
 * close a connection that is about to be used.
 */
const IDLE_CONNECTION_MS = 4_000;

/** Delay after a 429 without a Retry-After header. The caller of the backend limits how long it waits. */
const DEFAULT_RETRY_AFTER_MS = 1_000;

/**
 * Creates a client of a scoring backend behind HTTP (webhook `scoreSubject` of the OpenAPI contract), with its own
 * connection pool. Without the limits of connections and bytes, `http-backend.test.ts` and
 * `http-backend-failures.test.ts` fail.
 * - Each call of `score` sends one request, with the run's id, if there is one, as idempotency key. If the connection
 *   breaks, `score` rejects and the request is not repeated.
 * - Redirects are not followed, and the caller's signal limits the time.
 * - Replies are untrusted: `acceptScore` validates them.
 * - `traceHeaders` supplies the headers for distributed tracing.
 */
export function createHttpBackend(
  url: string,
  token: string,
  traceHeaders: () => Readonly<Record<string, string>> = () => ({}),
): ClosableBackend {
  const { host, origin, pathname, search } = new URL(url);
  const pool = openPool(origin);
  return {
    source: sourceOf(host),
    async score(request: ScoreRequest, signal: AbortSignal): Promise<BackendScore> {
      const call: Dispatcher.DispatchOptions = {
        path: pathname + search,
        method: 'POST',
        headers: { ...headersOf(request, token), ...traceHeaders() },
        body: JSON.stringify(request),
      };
      return scoreOf(await sendRequest(pool, call, signal));
    },
    close: () => pool.destroy(),
  };
}

/** Opens the connection pool. undici is loaded here, so only processes with an HTTP backend load it. */
function openPool(origin: string): Pool {
  const { buildConnector, Pool } = createRequire(import.meta.url)('undici') as typeof import('undici');
  return new Pool(origin, {
    connections: MOST_CONNECTIONS,
    connect: skipContinue(buildConnector({ timeout: CONNECT_TIMEOUT_MS })),
    keepAliveTimeout: IDLE_CONNECTION_MS,
    maxResponseSize: ANSWER_LIMIT_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** Returns the source name of a backend's host. Adds a port to a host named `embedded`, the embedded backend's name. */
function sourceOf(host: string): string {
  return host === EMBEDDED_SOURCE ? `${host}:80` : host;
}

function headersOf({ runId }: ScoreRequest, token: string): Record<string, string> {
  return {
    Authorization: `Bearer ${token}`,
    'Content-Type': 'application/json',
    Accept: 'application/json',
    ...(runId !== null && { 'Idempotency-Key': runId }),
  };
}

function scoreOf({ status, headers, text }: BackendResponse): BackendScore {
  if (status === 200) return parse(text);
  if (status === 429) throw new BackendBusy(retryAfterMs(headers['retry-after']));
  throw new Error(`the scoring backend answered ${status}`);
}

/** Parses a reply. Replaces the error of JSON.parse, because its message would quote the reply in the log. */
function parse(text: string): BackendScore {
  try {
    return JSON.parse(text) as BackendScore;
  } catch {
    throw new Error('the answer of the scoring backend is no JSON');
  }
}

/** Converts a Retry-After header, seconds or an HTTP date, to milliseconds from now; never negative. */
function retryAfterMs(header: string | string[] | undefined): number {
  const text = [header].flat()[0];
  if (text === undefined || text === '') return DEFAULT_RETRY_AFTER_MS;
  const seconds = Number(text);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? DEFAULT_RETRY_AFTER_MS : Math.max(0, wait);
}

/**
 * Creates the configured backend: an HTTP client if SCORING_URL is set, otherwise the embedded backend. The caller must
 * close the backend.
 */
export function createScoringBackend(
  config: Pick<Config, 'scoringUrl' | 'scoringToken'>,
  traceHeaders?: () => Readonly<Record<string, string>>,
): ClosableBackend {
  if (config.scoringUrl === null) return { ...embeddedBackend, close: async () => undefined };
  return createHttpBackend(config.scoringUrl, config.scoringToken ?? '', traceHeaders);
}
