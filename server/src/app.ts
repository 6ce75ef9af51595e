import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { v4 as uuidv4 } from 'uuid';
import { OPERATIONS } from './access/plans/plans.ts';
import { RESERVED_SEGMENTS } from './catalog/subjects/public-path.ts';
import type { Config } from './platform/config/load-config.ts';
import type { Database } from './platform/database/connect.ts';
import { useConditionalGet } from './platform/http/conditional-get.ts';
import type { Contract } from './platform/http/contract/contract.ts';
import { registerContract } from './platform/http/contract/register-contract.ts';
import { useContractValidation } from './platform/http/contract/validation.ts';
import { allowOrigins } from './platform/http/cors.ts';
import { sessionCookieName } from './platform/http/credentials/credential.ts';
import { type RawErrorPage, rawErrors } from './platform/http/failures/raw-errors.ts';
import {
  type FailureFormat,
  failureAsJson,
  meteredErrorBody,
  sendFailure,
} from './platform/http/failures/send-failure.ts';
import { closeConnectionsWhenStopping, registerHealth, SHUTDOWN_OPTIONS } from './platform/http/health.ts';
import { acceptJsonOnly, BODY_LIMIT_BYTES, refuseUnusableBodies } from './platform/http/json-body.ts';
import { collectRoutes, isNoRouteError, noRouteError, ROUTING } from './platform/http/known-routes.ts';
import { limitRequests, readForwardedAddresses } from './platform/http/limits/limit-requests.ts';
import { acceptsHtml } from './platform/http/redirect-paths.ts';
import { decorateRequests, logRequests, setCommonHeaders } from './platform/http/request-context.ts';
import {
  type ResponseCaching,
  responseCache,
  storeSerializedResponses,
} from './platform/http/response-cache/response-cache-plugin.ts';
import { shedLoad } from './platform/http/shed-load.ts';
import { rejectDuplicateHosts } from './platform/http/unusable-address.ts';
import type { Services } from './services.ts';

/**
 * Timeout of a connection without traffic. It is longer than the slowest metered call (45 s), and than the idle timeout
 * of common proxies.
 */
const SOCKET_TIMEOUT_MS = 75_000;
const REQUEST_TIMEOUT_MS = 10_000;
const CHECK_CONNECTIONS_MS = 1_000;

/**
 * Dependencies of the HTTP layer. The SDK's mock server consists of this layer and of handlers that return examples.
 */
export interface AppParts
  extends Pick<
    Services,
    'openContract' | 'rateLimits' | 'knownCredentials' | 'handlers' | 'securityHandlers'
  > {
  readonly config: Pick<Config, 'publicUrl' | 'corsOrigins' | 'trustProxy' | 'publicMaxAgeSeconds'>;
  readonly log: FastifyBaseLogger;
  readonly reads: Pick<Database, 'query'>;
  /** Cache of public responses; if absent, no response is cached. */
  readonly answers?: ResponseCaching;
  /** Limiter of metered calls; if absent, their number is not limited. */
  readonly callLimiter?: Parameters<typeof shedLoad>[1];
  /** Metrics of requests; if absent, requests are not counted. */
  readonly metrics?: { requests(app: FastifyInstance, operations: readonly string[]): void } | null;
  /** Adds tracing to requests; if absent, requests are not traced. */
  traceRequests?(app: FastifyInstance): void;
  /** Registers compression; if absent, answers are not compressed. */
  compressAnswers?(app: FastifyInstance): Promise<void>;
  /** Renders 404 and 405 for browsers. If absent, browsers get JSON. */
  readonly strayAsPage?: FailureFormat;
  /** Renders error pages for malformed requests from browsers. If absent, browsers get JSON. */
  readonly refusedAsPage?: RawErrorPage;
  registerPages(app: FastifyInstance, contract: Contract): Promise<void>;
}

/** Builds the server with its plugins in order. It does not listen yet; tests can inject requests. */
export async function buildApp(services: AppParts): Promise<FastifyInstance> {
  const { config } = services;
  const contract = await services.openContract();
  const { frameworkErrors, clientErrorHandler, answerUnknownExpectation } = rawErrors(services.refusedAsPage);
  const app: FastifyInstance = Fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Repeats the request timeout for Node's server: Fastify sets the one above only after Node has created the server,
    // which would leave the headers' timeout at a minute.
    http: {
      requestTimeout: REQUEST_TIMEOUT_MS,
      headersTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_CONNECTIONS_MS,
    },
    connectionTimeout: SOCKET_TIMEOUT_MS,
    keepAliveTimeout: SOCKET_TIMEOUT_MS,
    trustProxy: config.trustProxy.length > 0 ? [...config.trustProxy] : false,
    genReqId: () => uuidv4(),
    requestIdHeader: false,
    ...SHUTDOWN_OPTIONS,
    routerOptions: ROUTING,
    frameworkErrors,
    clientErrorHandler,
  });
  app.server.on('checkExpectation', answerUnknownExpectation);
  decorateRequests(app);
  services.traceRequests?.(app);
  rejectDuplicateHosts(app);
  if (config.trustProxy.length > 0) readForwardedAddresses(app);
  const { routeAt, allowedMethods, isMatchedAsParameter: isMistaken } = collectRoutes(app, RESERVED_SEGMENTS);
  const { answers, rateLimits } = services;
  if (answers) responseCache(app, answers, rateLimits.isOn('public'));
  setCommonHeaders(app, new URL(config.publicUrl));
  const asJson = failureAsJson(rateLimits);
  const { strayAsPage = asJson } = services;
  const answer = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) =>
    sendFailure(
      thrown,
      request,
      reply,
      isNoRouteError(thrown, request) && acceptsHtml(request) ? strayAsPage : asJson,
    );
  app.setErrorHandler(answer);
  app.setNotFoundHandler((request, reply) =>
    answer(noRouteError(request.method, request.url, allowedMethods), request, reply),
  );
  logRequests(app);
  services.metrics?.requests(app, OPERATIONS);
  closeConnectionsWhenStopping(app);
  useConditionalGet(app, config.publicMaxAgeSeconds);
  await services.compressAnswers?.(app);
  if (answers) storeSerializedResponses(app, answers);
  await allowOrigins(app, config.corsOrigins, routeAt);
  if (services.callLimiter) shedLoad(app, services.callLimiter, (refusal) => meteredErrorBody(refusal, null));
  limitRequests(app, rateLimits, services.knownCredentials, sessionCookieName(config.publicUrl));
  // Rejects unmatched requests before reading a body.
  app.addHook('onRequest', (request, _reply, done) => {
    const isUnmatched = request.is404 || isMistaken(request);
    done(isUnmatched ? noRouteError(request.method, request.url, allowedMethods) : undefined);
  });
  refuseUnusableBodies(app);
  acceptJsonOnly(app);
  useContractValidation(app, contract);
  registerHealth(app, services.reads);
  await registerContract(app, contract, services);
  await services.registerPages(app, contract);
  return app;
}
