import cors from '@fastify/cors';
import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import { isCompressible, VARY_COMPRESSED } from './compression/compress-responses.ts';
import type { KnownRoutes } from './known-routes.ts';
import { pathOf } from './redirect-paths.ts';

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

/** Origins whose pages may read a route's responses: all, those the operator configured, or none. */
type Readers = 'everybody' | 'named' | 'nobody';

/** Paths of the console, which only its own pages may call. */
const CONSOLE = /^\/(api\/)?console(\/|$)/;

function readersOf(path: string, method: string, config: FastifyContextConfig | null): Readers {
  if (CONSOLE.test(path)) return 'nobody';
  // Responses without a route contain no data, and a mistyped public path should show its 404 in a browser too.
  if (!config) return method === 'GET' || method === 'HEAD' ? 'everybody' : 'named';
  if (config.public) return 'everybody';
  return config.schemes?.includes('accessKey') ? 'named' : 'nobody';
}

/** Decodes a path like the router: escaped letters equal plain ones. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Handles CORS: any page may call public reads, configured origins may call routes with access keys, and no other site
 * may call the console. Cookies are never allowed, so sessions only work on our own pages. Register before routes, and
 * after hooks that apply to every response.
 */
export async function allowOrigins(
  app: FastifyInstance,
  keyedOrigins: readonly string[],
  routeAt: KnownRoutes['routeAt'],
): Promise<void> {
  allowReading(app, new Set(keyedOrigins));
  await answerPreflights(app, keyedOrigins, routeAt);
}

/** Sets the CORS headers of each response, because the plugin would rebuild its options for every request. */
function allowReading(app: FastifyInstance, keyedOrigins: ReadonlySet<string>): void {
  const known = new WeakMap<FastifyContextConfig, Readers>();

  function readersOfAnswer(request: FastifyRequest): Readers {
    const { config, url } = request.routeOptions;
    const readers = known.get(config);
    if (readers) return readers;
    if (request.is404) return readersOf(decoded(pathOf(request.url)), request.method, null);
    // Cache the result for routes whose URL determines it.
    if (url === undefined || url.startsWith('/:'))
      return readersOf(decoded(pathOf(request.url)), request.method, config);
    known.set(config, readersOf(url, request.method, config));
    return readersOfAnswer(request);
  }

  app.addHook('onRequest', (request, reply, done) => {
    if (request.method === 'OPTIONS') return done();
    const { config } = request.routeOptions;
    const readers = readersOfAnswer(request);
    // Send the same Vary header for 404s, so that routes cannot be probed.
    const isNoRoute = request.is404 && readers === 'everybody';
    const differs = isNoRoute || isCompressible(request.method, config);
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

/** Lets the CORS plugin answer preflights, in its own scope so that other requests skip it. */
async function answerPreflights(
  app: FastifyInstance,
  keyedOrigins: readonly string[],
  routeAt: KnownRoutes['routeAt'],
): Promise<void> {
  /** Returns the path, method and route configuration of the request that a preflight announces. */
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
