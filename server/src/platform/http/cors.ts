import cors, { type FastifyCorsOptions } from '@fastify/cors';
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
];
const PREFLIGHT_SECONDS = 600;

/** Origins whose pages may read a route's responses: all, those that the operator configured, or none. */
type Readers = 'everybody' | 'named' | 'nobody';

/** Paths of the console, which only the console's own pages may call. */
const CONSOLE = /^\/(api\/)?console(\/|$)/;

function readersOf(path: string, method: string, config: FastifyContextConfig | null): Readers {
  if (CONSOLE.test(path)) return 'nobody';
  // Responses to requests that match no route contain no data. Any page may read those to GET and HEAD, so that a
  // program in a browser can also read the 404 of a mistyped public path.
  if (!config) return method === 'GET' || method === 'HEAD' ? 'everybody' : 'named';
  if (config.public) return 'everybody';
  return config.schemes?.includes('accessKey') ? 'named' : 'nobody';
}

/** Decodes a path as the router does, so that escaped letters equal plain ones. */
function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/**
 * Handles CORS: any page may call public reads and public look-ups, configured origins may call routes with access
 * keys, and no other site may call the console. Cookies are never allowed, so sessions only work on our own pages.
 * Register before routes, and after hooks that apply to every response. Without the choice by route, `cors.db.test.ts`
 * fails.
 */
export async function allowOrigins(
  app: FastifyInstance,
  keyedOrigins: readonly string[],
  routeAt: KnownRoutes['routeAt'],
): Promise<void> {
  const shared = { exposedHeaders: EXPOSED_HEADERS, maxAge: PREFLIGHT_SECONDS, strictPreflight: false };
  const changes = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE'];
  const options: Readonly<Record<Readers, FastifyCorsOptions>> = {
    everybody: { ...shared, origin: '*', methods: ['GET', 'HEAD', 'POST'] },
    named: { ...shared, origin: keyedOrigins.length > 0 && [...keyedOrigins], methods: changes },
    nobody: { ...shared, origin: false },
  };

  /**
   * Returns who may read the response to a request. For a preflight, returns who may read the response to the
   * announced request.
   */
  function readersOfAnswer({ method, url, headers, is404, routeOptions }: FastifyRequest): Readers {
    const path = pathOf(url);
    const announced = method === 'OPTIONS' ? headers['access-control-request-method'] : undefined;
    const known = announced === undefined ? (is404 ? null : routeOptions) : routeAt(announced, path);
    return readersOf(decoded(path), announced ?? method, known?.config ?? null);
  }

  await app.register(cors, {
    delegator: (request: FastifyRequest, done: (error: Error | null, options: FastifyCorsOptions) => void) =>
      done(null, options[readersOfAnswer(request)]),
  });
  app.addHook('onRequest', (request, reply, done) => {
    // Send the same Vary header for 404s, so that routes cannot be probed.
    const isNoRoute = request.is404 && reply.getHeader('Access-Control-Allow-Origin') === '*';
    if (isNoRoute || isCompressible(request.method, request.routeOptions.config))
      reply.header('Vary', VARY_COMPRESSED);
    done();
  });
}
