import cors from '@fastify/cors';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { mayBeCompressed, VARY_COMPRESSED } from './compression/may-be-compressed.ts';
import type { KnownRoutes } from './failures/not-found.ts';
import { pathOf } from './path-of.ts';

const EXPOSED_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'X-Request-Id',
  'Link',
  'ETag',
  'Retry-After',
].join(', ');
const PREFLIGHT_SECONDS = 600;

/** Whose pages may read a route's answers: everybody's, those of the origins that the operator names, nobody's. */
type Readers = 'everybody' | 'named' | 'nobody';

/** The console is for its own pages only. */
const CONSOLE = /^\/(api\/)?console(\/|$)/;

function readersOf(path: string, method: string, config: FastifyContextConfig | null): Readers {
  if (CONSOLE.test(path)) return 'nobody';
  // Nothing is told at an address that no route takes, and a mistyped public one should say so in a browser too.
  if (!config) return method === 'GET' || method === 'HEAD' ? 'everybody' : 'named';
  if (config.public) return 'everybody';
  return config.schemes?.includes('accessKey') ? 'named' : 'nobody';
}

/** As the router reads a path: escaped letters are the same letters. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Answers browsers: public reads may be called from any page, keyed routes from the origins that the operator names, the
 * console from no other. Never with cookies, so a session is of use to our own pages alone. Register before any route, and
 * after the hooks that every answer passes.
 */
export async function allowOrigins(
  app: FastifyInstance,
  keyedOrigins: readonly string[],
  routeAt: KnownRoutes['routeAt'],
): Promise<void> {
  allowReading(app, new Set(keyedOrigins));
  await answerPreflights(app, keyedOrigins, routeAt);
}

/** Says of each answer who may read it. The plugin would put its options together anew for every request. */
function allowReading(app: FastifyInstance, keyedOrigins: ReadonlySet<string>): void {
  const known = new WeakMap<FastifyContextConfig, Readers>();

  function readersOfAnswer(request: FastifyRequest): Readers {
    const { config, url } = request.routeOptions;
    const readers = known.get(config);
    if (readers) return readers;
    if (request.is404) return readersOf(decoded(pathOf(request.url)), request.method, null);
    // What a route's own address says of all its paths is found out once.
    if (url === undefined || url.startsWith('/:'))
      return readersOf(decoded(pathOf(request.url)), request.method, config);
    known.set(config, readersOf(url, request.method, config));
    return readersOfAnswer(request);
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') return done();
    const { config } = request.routeOptions;
    const readers = readersOfAnswer(request);
    // Which route finds nothing at an address is nobody's business: the answer differs by the same all the same.
    const isNoRoute = request.is404 && readers === 'everybody';
    const differs = isNoRoute || mayBeCompressed(request.method, config);
    reply.header('Vary', differs ? VARY_COMPRESSED : 'Origin');
    const { origin = '' } = request.headers;
    if (readers === 'everybody') reply.header('Access-Control-Allow-Origin', '*');
    else if (readers === 'named' && keyedOrigins.has(origin))
      reply.header('Access-Control-Allow-Origin', origin);
    if (readers === 'everybody' || (readers === 'named' && keyedOrigins.size > 0))
      reply.header('Access-Control-Expose-Headers', EXPOSED_HEADERS);
    done();
  });
}

/** Leaves to the plugin what a browser asks before a request. In a part of its own, so that no other request passes it. */
async function answerPreflights(
  app: FastifyInstance,
  keyedOrigins: readonly string[],
  routeAt: KnownRoutes['routeAt'],
): Promise<void> {
  /** A preflight is about another request: that of the method and path that it names. */
  function subjectOf(request: FastifyRequest): [path: string, method: string, FastifyContextConfig | null] {
    const path = decoded(pathOf(request.url));
    const asked = request.headers['access-control-request-method'];
    if (asked === undefined)
      return [path, request.method, request.is404 ? null : request.routeOptions.config];
    return [path, asked, routeAt(asked, pathOf(request.url))?.config ?? null];
  }

  const origins = {
    everybody: '*',
    named: keyedOrigins.length > 0 ? [...keyedOrigins] : false,
    nobody: false,
  };
  await app.register(async (preflights) => {
    await preflights.register(cors, {
      delegator: (request: FastifyRequest, done: (error: Error | null, options: object) => void) => {
        const [path, method, config] = subjectOf(request);
        const readers = readersOf(path, method, config);
        done(null, {
          origin: origins[readers],
          methods: readers === 'everybody' ? ['GET', 'HEAD'] : ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'],
          exposedHeaders: EXPOSED_HEADERS,
          maxAge: PREFLIGHT_SECONDS,
          strictPreflight: false,
        });
      },
    });
  });
}
