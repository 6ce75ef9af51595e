import { createRequire } from 'node:module';
import type { Dispatcher, Pool } from 'undici';
import { skipContinue } from '../../outbound/skip-continue.ts';
import { EMBEDDED_SOURCE } from '../embedded/rs-1.0.0.ts';
import type { BackendScore, ScoreRequest, ScoringBackend } from '../scoring-backend.ts';
import { BackendBusy } from './backend-busy.ts';
import { type WholeAnswer, wholeAnswer } from './whole-answer.ts';

/** A backend that holds connections, until they are closed. */
export interface OpenBackend extends ScoringBackend {
  /** Ends its connections, and with them whatever is still under way. */
  close(): Promise<void>;
}

const ANSWER_LIMIT_BYTES = 256 * 1024;
/** Calls beyond wait for a connection, within their own time. */
const MOST_CONNECTIONS = 64;
const CONNECT_TIMEOUT_MS = 10_000;
/** Shorter than the idle time of usual servers and proxies, so that they rarely close what we are about to use. */
const IDLE_CONNECTION_MS = 4_000;
/** When a 429 names no wait; the caller caps it anyway. */
const DEFAULT_RETRY_AFTER_MS = 1_000;

/**
 * A scoring backend behind HTTP (the contract's webhook `scoreSubject`), over connections of its own. The run's id goes
 * along as idempotency key. One call of this is one request: a connection that breaks fails the attempt, and the caller of
 * the service tries again under its own key. Redirects are not followed, the caller's signal limits the time. What it
 * answers is untrusted: `acceptScore` checks it. `traceHeaders` tells it which work a request belongs to.
 */
export function createHttpBackend(
  url: string,
  token: string,
  traceHeaders: () => Readonly<Record<string, string>> = () => ({}),
): OpenBackend {
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
      return scoreOf(await wholeAnswer(pool, call, signal));
    },
    close: () => pool.destroy(),
  };
}

/** What calls is loaded only where there is a backend to call, and not within the time of a call. */
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

/** A host that happens to be called like the embedded backend must not be taken for it. */
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

function scoreOf({ status, headers, text }: WholeAnswer): BackendScore {
  if (status === 200) return parse(text);
  if (status === 429) throw new BackendBusy(retryAfterMs(headers['retry-after']));
  throw new Error(`the scoring backend answered ${status}`);
}

/** The parser's own message would quote the text, which belongs into no log. */
function parse(text: string): BackendScore {
  try {
    return JSON.parse(text) as BackendScore;
  } catch {
    throw new Error('the answer of the scoring backend is no JSON');
  }
}

/** Seconds or an HTTP date, as milliseconds from now; never negative. */
function retryAfterMs(header: string | string[] | undefined): number {
  const text = [header].flat()[0];
  if (text === undefined || text === '') return DEFAULT_RETRY_AFTER_MS;
  const seconds = Number(text);
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(wait) ? DEFAULT_RETRY_AFTER_MS : Math.max(0, wait);
}
