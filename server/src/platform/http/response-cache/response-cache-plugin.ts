import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  preHandlerHookHandler,
  RouteOptions,
} from 'fastify';
import { RANKING } from '../../database/change-announcements.ts';
import type { Connection } from '../../database/connect.ts';
import { type TrackedDependencies, trackDependencies } from '../../database/tracked-dependencies.ts';
import { type CacheableRead, CachedResponse, type ResponseCache } from './response-cache.ts';
import { formOf, sendSerialized, serializeResponse } from './serialized-response.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Connection for public data. The response of a public route is cached until its data changes, if it depends only
     * on these reads and on the URL. A handler that reads anything else must not use it.
     */
    reads: Connection;
    /** Recorded dependencies, while a response that may be cached is being built. */
    trackedRead: TrackedRead | null;
    /** Connection for this request's reads, if each request gets its own (replicas); otherwise null. */
    ownReads: Connection | null;
    /** True if cached or shared responses may be older than data that the client has already seen. */
    bypassesCache: boolean;
    /** Cache entry of the response, while the response passes the remaining hooks. */
    cachedResponse: CachedResponse | null;
  }
  interface FastifyContextConfig {
    /**
     * True if the route's responses neither sort nor count by score. They change only with the subjects that they
     * contain.
     */
    unranked?: boolean;
  }
}

interface TrackedRead {
  readonly reading: CacheableRead;
  readonly record: TrackedDependencies;
  readonly connection: Connection;
  /** Headers that were set before the response was built. They belong to the request and are not cached. */
  readonly own: object;
  /** Body of a full (non-304) response. */
  whole: { payload: string | Buffer; type: string } | null;
}

/** Cache of public responses, and the source of their data. */
export interface ResponseCaching {
  /** Cache; null disables caching. */
  readonly cache: ResponseCache | null;
  readonly reads: Connection;
  /** Chooses the connection for a request's reads; never rejects. Default: `reads`. */
  readonly beginReads?: (() => Promise<Connection>) | undefined;
}

/**
 * Serves public responses from the cache, once all invalidations that were committed before the request are processed.
 * If that takes too long, the request reads the database. Register before hooks that set response headers, and before
 * routes.
 * - `database/tracked-dependencies.ts` records what a response depends on. Triggers announce changes
 *   (`database/change-announcements.ts`), and `subscribe-to-invalidation.ts` removes the responses that they make
 *   invalid.
 * - Responses that were already sent in the same form (Accept-Encoding) bypass the hooks.
 * - If requests are counted for rate limits (`isCounted`), no response is sent before the count.
 */
export function responseCache(
  app: FastifyInstance,
  { cache, reads, beginReads }: ResponseCaching,
  isCounted = false,
): void {
  app.decorateRequest('trackedRead', null);
  app.decorateRequest('ownReads', null);
  app.decorateRequest('bypassesCache', false);
  app.decorateRequest('cachedResponse', null);
  app.decorateRequest('reads', {
    getter(this: FastifyRequest) {
      return this.trackedRead?.connection ?? this.ownReads ?? reads;
    },
  });
  if (cache === null) {
    if (beginReads) {
      app.addHook('onRoute', (route) => {
        if (isCacheableRoute(route)) addPreHandler(route, chooseReads);
      });
    }
    return;
  }

  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  /**
   * Answers the request with the serialized response of its form, if there is one, and returns whether it did. While
   * the server stops, a response must have `Connection: close`, so every response then passes the hooks.
   */
  const sentSerialized = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const form = isStopping ? null : formOf(request);
    const whole = form === null ? undefined : cache.getSerialized(request.url, form);
    if (whole) sendSerialized(request, reply, whole);
    return whole !== undefined;
  };
  if (!isCounted)
    app.addHook('onRequest', (request, reply, done) => {
      const form = isStopping ? null : formOf(request);
      if (form === null || !cache.hasSerialized(request.url, form)) return done();
      cache.waitForInvalidations((hasHeard) => {
        request.bypassesCache = !hasHeard;
        if (!hasHeard || !sentSerialized(request, reply)) done();
      });
    });
  app.addHook('onSend', (request, reply, payload, done) => {
    const answer = request.trackedRead;
    const isWhole = reply.statusCode === 200 && (typeof payload === 'string' || Buffer.isBuffer(payload));
    if (answer && isWhole) answer.whole = { payload, type: String(reply.getHeader('content-type')) };
    done();
  });
  // Route hooks run after the global ones, so the request has been counted and its headers checked.
  app.addHook('onRoute', (route) => {
    if (!isCacheableRoute(route)) return;
    route.onRequest = [
      ...hooksOf(route.onRequest),
      (request, reply, done) => {
        const send = () => {
          if (isCounted && sentSerialized(request, reply)) return;
          const kept = cache.get(request.url);
          if (!kept) return done();
          request.cachedResponse = kept;
          sendCached(reply, kept);
        };
        if (request.bypassesCache) return done();
        if (!cache.has(request.url)) return send();
        cache.waitForInvalidations((hasHeard) => {
          if (hasHeard) return send();
          request.bypassesCache = true;
          done();
        });
      },
    ];
    // preHandler runs after validation by the contract, so that reads start for valid requests only.
    addPreHandler(route, (request, reply, done) => {
      const other = request.bypassesCache ? undefined : cache.inFlight(request.url);
      if (!other) {
        begin(request, reply);
        return chooseReads(request, reply, done);
      }
      other.outcome.then(
        (answer) => (answer ? sendCached(reply, answer) : chooseReads(request, reply, done)),
        done,
      );
    });
    route.onSend = [
      ...hooksOf(route.onSend),
      (request, reply, _payload, done) => {
        finish(request, reply);
        done();
      },
    ];
    // However a request ends, other requests stop waiting for its read.
    route.onResponse = [
      ...hooksOf(route.onResponse),
      (request, _reply, done) => {
        request.trackedRead?.reading.abandon();
        done();
      },
    ];
  });

  function begin(request: FastifyRequest, reply: FastifyReply): void {
    const reading = cache?.begin(request.url);
    if (!reading) return;
    request.trackedRead = { reading, ...trackDependencies(reads), own: reply.getHeaders(), whole: null };
  }

  /**
   * Chooses the connection after the read has started, never before. Changes received after the start then prevent the
   * caching, and earlier changes are visible on the connection.
   */
  function chooseReads(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
    if (!beginReads) done();
    else {
      void beginReads().then((own) => {
        request.ownReads = own;
        if (request.trackedRead) Object.assign(request.trackedRead, trackDependencies(own));
        done();
      });
    }
  }

  function finish(request: FastifyRequest, reply: FastifyReply): void {
    const answer = request.trackedRead;
    if (!answer) return;
    const { reading, record, own, whole } = answer;
    const headers = responseHeaders(reply, own);
    const isCacheable = record.statements > 0 && record.uncacheableReason === null;
    if (!isCacheable || !whole || headers === null) {
      reading.abandon();
      return;
    }
    const { unranked } = request.routeOptions.config;
    headers['content-type'] = whole.type;
    if (!unranked) record.ids.add(RANKING);
    const kept = new CachedResponse(whole.payload, headers);
    request.cachedResponse = kept;
    reading.store(kept, { parts: record.ids, validUntil: record.validUntil });
  }
}

/** Headers that make a response specific to one client. */
const PER_CLIENT_HEADERS: ReadonlySet<string> = new Set(['set-cookie', 'connection']);

/** Returns the headers that were set while the response was built; null if the response is specific to one client. */
function responseHeaders(reply: FastifyReply, own: object): Record<string, string | number> | null {
  const found: Record<string, string | number> = {};
  const all = reply.getHeaders();
  for (const name in all) {
    if (name in own) continue;
    if (PER_CLIENT_HEADERS.has(name)) return null;
    found[name] = all[name] as string | number;
  }
  return found;
}

/**
 * Caches the serialized form of responses, so that the next request for the same form bypasses the hooks. Register
 * after all hooks that change a response or its headers.
 */
export function storeSerializedResponses(app: FastifyInstance, { cache }: ResponseCaching): void {
  if (cache === null) return;
  app.addHook('onRoute', (route) => {
    if (!isCacheableRoute(route)) return;
    route.onSend = [
      ...hooksOf(route.onSend),
      (request, reply, payload, done) => {
        const { cachedResponse, url } = request;
        const form = cachedResponse && reply.statusCode === 200 ? formOf(request) : null;
        const whole =
          cachedResponse && form !== null ? serializeResponse(reply, payload, cachedResponse) : null;
        if (cachedResponse && form !== null && whole) cache.storeSerialized(url, form, cachedResponse, whole);
        done();
      },
    ];
  });
}

function isCacheableRoute({ method, config }: RouteOptions): boolean {
  return method === 'GET' && config?.public === true;
}

function addPreHandler(route: RouteOptions, hook: preHandlerHookHandler): void {
  route.preHandler = [...hooksOf(route.preHandler), hook];
}

function hooksOf<Hook>(hooks: Hook | Hook[] | undefined): Hook[] {
  return hooks === undefined ? [] : ([hooks].flat() as Hook[]);
}

function sendCached(reply: FastifyReply, { body, headers }: CachedResponse): void {
  reply.headers(headers).send(body);
}
