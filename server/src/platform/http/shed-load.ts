import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { v4 as uuidv4 } from 'uuid';
import { DomainError } from '../errors/domain-error.ts';

/** Limiter of metered calls. */
interface CallLimiter {
  /** Throws the error for a call above the limit; does nothing below it. */
  require(): void;
  readonly counts: { readonly refused: number };
}

const LOG_INTERVAL_MS = 1_000;

/**
 * Rejects metered calls above the concurrency limit before they are parsed, counted or authenticated. Under overload,
 * rejections take most of the CPU time, so this bypasses the framework and logs at most one line per second. Register
 * before routes. `bodyOf` builds the body of a rejection. At three times the peak load, the server still settles 0.85 ×
 * its peak throughput (`npm run bench -- overload`). Without the rejection before the framework, `shed-load.test.ts`
 * fails.
 */
export function shedLoad(
  app: FastifyInstance,
  limiter: CallLimiter,
  bodyOf: (refusal: DomainError) => object,
): void {
  const metered = new Set<string>();
  const log = logRejections(app, limiter);
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.metered) for (const each of [method].flat()) metered.add(`${each} ${url}`);
  });
  // Requests from pages in browsers need CORS headers, and injected requests (tests) bypass the server. Both are
  // therefore checked in a hook.
  app.addHook('onRequest', (request, _reply, done) => {
    const refusal = request.routeOptions.config.metered ? refusalOf(limiter) : null;
    if (refusal) log();
    done(refusal ?? undefined);
  });
  const [handle, ...others] = app.server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  if (!handle || others.length > 0) throw new Error('a server has one handler of requests before it listens');
  app.server.removeListener('request', handle);
  app.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const isPlain = request.headers.origin === undefined && app.server.listening;
    const refusal = isPlain && metered.has(`${request.method} ${request.url}`) ? refusalOf(limiter) : null;
    if (!refusal) return handle(request, response);
    log();
    answer(response, refusal, bodyOf(refusal));
  });
}

function refusalOf(limiter: CallLimiter): DomainError | null {
  try {
    limiter.require();
    return null;
  } catch (refusal) {
    if (refusal instanceof DomainError) return refusal;
    throw refusal;
  }
}

function answer(response: ServerResponse, refusal: DomainError, content: object): void {
  const body = JSON.stringify(content);
  response.writeHead(refusal.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'Retry-After': refusal.details.retryAfterSeconds ?? 1,
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': uuidv4(),
  });
  response.end(body);
}

/** Logs the number of rejected calls, at most once per second. */
function logRejections(app: FastifyInstance, limiter: CallLimiter): () => void {
  let logged = 0;
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      const { refused } = limiter.counts;
      app.log.warn({ refused: refused - logged }, 'metered calls were rejected by the concurrency limit');
      logged = refused;
    }, LOG_INTERVAL_MS).unref();
  };
}
