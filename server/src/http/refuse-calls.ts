import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { v4 as uuidv4 } from 'uuid';
import { DomainError } from '../domain-error.ts';
import { meteredErrorBody } from './failures/error-body.ts';

/** Whether there is room for metered calls. */
interface Room {
  /** Throws the refusal of a call that there is none for. */
  require(): void;
  readonly counts: { readonly refused: number };
}

const TELL_EVERY_MS = 1_000;

/**
 * Refuses metered calls that there is no room for before they are counted, judged or read. What takes all of a process's
 * time is then what it refuses, so that happens in front of the framework, and has one log line a second for all of it.
 * Register before any route.
 */
export function refuseCalls(app: FastifyInstance, room: Room): void {
  const metered = new Set<string>();
  const tell = tellOfRefusals(app, room);
  app.addHook('onRoute', ({ method, url, config }) => {
    if (config?.metered) for (const each of [method].flat()) metered.add(`${each} ${url}`);
  });
  // What comes from a browser's page needs the headers for that, and what is injected has no server in front.
  app.addHook('onRequest', (request, _reply, done) => {
    const refusal = request.routeOptions.config.metered ? refusalOf(room) : null;
    if (refusal) tell();
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
    const refusal = isPlain && metered.has(`${request.method} ${request.url}`) ? refusalOf(room) : null;
    if (!refusal) return handle(request, response);
    tell();
    answer(response, refusal);
  });
}

function refusalOf(room: Room): DomainError | null {
  try {
    room.require();
    return null;
  } catch (refusal) {
    if (refusal instanceof DomainError) return refusal;
    throw refusal;
  }
}

function answer(response: ServerResponse, refusal: DomainError): void {
  const body = JSON.stringify(meteredErrorBody(refusal, null));
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

/** Logs how many were refused, a second after the first of them. */
function tellOfRefusals(app: FastifyInstance, room: Room): () => void {
  let told = 0;
  let isDue = false;
  return () => {
    if (isDue) return;
    isDue = true;
    setTimeout(() => {
      isDue = false;
      const { refused } = room.counts;
      app.log.warn({ refused: refused - told }, 'metered calls were refused for want of room');
      told = refused;
    }, TELL_EVERY_MS).unref();
  };
}
