import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { v4 as uuidv4 } from 'uuid';
import type { Config } from './config/load-config.ts';
import type { Database } from './database/connect.ts';
import { logRequests } from './http/access-log.ts';
import { setCommonHeaders } from './http/common-headers.ts';
import { useConditionalGet } from './http/conditional-get.ts';
import { registerContract } from './http/contract/register-contract.ts';
import { useContractValidation } from './http/contract/validation.ts';
import { allowOrigins } from './http/cors.ts';
import { sessionCookieName } from './http/credentials/credential.ts';
import { answerFailure, type FailureForm } from './http/failures/answer-failure.ts';
import { failureAsJson } from './http/failures/failure-as-json.ts';
import { collectRoutes, isStray, ROUTING, unmatched } from './http/failures/not-found.ts';
import { type RefusedAsPage, rawErrors } from './http/failures/raw-errors.ts';
import { registerHealth } from './http/health.ts';
import { acceptJsonOnly, BODY_LIMIT_BYTES, refuseUnusableBodies } from './http/json-body.ts';
import { type AnswerKeeping, keepAnswers, noteWholeAnswers } from './http/kept-answers/keep-answers.ts';
import { readForwardedAddresses } from './http/limits/forwarded-addresses.ts';
import { limitRequests } from './http/limits/limit-requests.ts';
import { readsPages } from './http/reads-pages.ts';
import { refuseCalls } from './http/refuse-calls.ts';
import { refuseSeveralHosts } from './http/refuse-hosts.ts';
import { decorateRequests } from './http/request-context.ts';
import { closeConnectionsWhenStopping, STOPPING } from './http/stopping.ts';
import type { Services } from './services.ts';

/** Longer than the slowest metered call (45 s) and than the idle time of common proxies. */
const SOCKET_TIMEOUT_MS = 75_000;
const REQUEST_TIMEOUT_MS = 10_000;
const CHECK_CONNECTIONS_MS = 1_000;

/** What the HTTP layer needs of the services. The SDK's mock is this layer over examples in place of the handlers. */
export interface AppParts
  extends Pick<
    Services,
    'openContract' | 'rateLimits' | 'knownCredentials' | 'handlers' | 'securityHandlers'
  > {
  readonly config: Pick<Config, 'publicUrl' | 'corsOrigins' | 'trustProxy' | 'publicMaxAgeSeconds'>;
  readonly log: FastifyBaseLogger;
  readonly reads: Pick<Database, 'query'>;
  /** Absent: nothing is kept, and handlers read nothing from their requests. */
  readonly answers?: AnswerKeeping;
  /** Absent: any number of metered calls is taken. */
  readonly roomForCalls?: Parameters<typeof refuseCalls>[1];
  /** Absent: nothing is counted. */
  readonly metrics?: { requests(app: FastifyInstance): void } | null;
  /** Absent: nothing is traced. */
  traceRequests?(app: FastifyInstance): void;
  /** Absent: every answer goes out as it is. */
  compressAnswers?(app: FastifyInstance): Promise<void>;
  /** How somebody at a browser is told that nothing takes their request. Absent: as programs are. */
  readonly strayAsPage?: FailureForm;
  /** The same of a request that is refused before it is one. Absent: as programs are. */
  readonly refusedAsPage?: RefusedAsPage;
  registerPages(app: FastifyInstance): Promise<void>;
}

/** The server with its plugins in order, ready to be injected into or to listen. Opens nothing by itself. */
export async function buildApp(services: AppParts): Promise<FastifyInstance> {
  const { config } = services;
  const contract = await services.openContract();
  const { frameworkErrors, clientErrorHandler, answerUnknownExpectation } = rawErrors(services.refusedAsPage);
  const app: FastifyInstance = Fastify({
    loggerInstance: services.log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // Fastify sets the one above after Node has made the server, which leaves the headers' own limit at a minute.
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
    ...STOPPING,
    routerOptions: ROUTING,
    frameworkErrors,
    clientErrorHandler,
  });
  app.server.on('checkExpectation', answerUnknownExpectation);
  decorateRequests(app);
  services.traceRequests?.(app);
  refuseSeveralHosts(app);
  if (config.trustProxy.length > 0) readForwardedAddresses(app);
  const { routeAt, allowedMethods, isMistaken } = collectRoutes(app);
  const { answers, rateLimits } = services;
  if (answers) keepAnswers(app, answers, rateLimits.isOn('public'));
  setCommonHeaders(app, new URL(config.publicUrl));
  const asJson = failureAsJson(rateLimits);
  const { strayAsPage = asJson } = services;
  const answer = (thrown: unknown, request: FastifyRequest, reply: FastifyReply) =>
    answerFailure(
      thrown,
      request,
      reply,
      isStray(thrown, request) && readsPages(request) ? strayAsPage : asJson,
    );
  app.setErrorHandler(answer);
  app.setNotFoundHandler((request, reply) =>
    answer(unmatched(request.method, request.url, allowedMethods), request, reply),
  );
  logRequests(app);
  services.metrics?.requests(app);
  closeConnectionsWhenStopping(app);
  useConditionalGet(app, config.publicMaxAgeSeconds);
  await services.compressAnswers?.(app);
  if (answers) noteWholeAnswers(app, answers);
  await allowOrigins(app, config.corsOrigins, routeAt);
  if (services.roomForCalls) refuseCalls(app, services.roomForCalls);
  limitRequests(app, rateLimits, services.knownCredentials, sessionCookieName(config.publicUrl));
  // Before any body is read: what it holds does not matter where nothing takes it.
  app.addHook('onRequest', (request, _reply, done) => {
    const isUnmatched = request.is404 || isMistaken(request);
    done(isUnmatched ? unmatched(request.method, request.url, allowedMethods) : undefined);
  });
  refuseUnusableBodies(app);
  acceptJsonOnly(app);
  useContractValidation(app, contract);
  registerHealth(app, services.reads);
  await registerContract(app, contract, services);
  await services.registerPages(app);
  return app;
}
