import { createRequire } from 'node:module';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import type { Redis } from 'ioredis';
import { type DestinationStream, type Logger, pino } from 'pino';
import {
  createAuthentication,
  createSecurityHandlers,
  startLastUsed,
} from './access/callers/authenticate-caller.ts';
import { createKnownCredentials, type KnownCredentials } from './access/callers/known-credentials.ts';
import { createKeyHandlers } from './access/keys/keys.handlers.ts';
import { type PlanBook, readPlanBook } from './access/plans/plans.ts';
import { createIdentityProviders } from './accounts/sign-in/identity-providers.ts';
import { createSessionHandlers } from './accounts/sign-in/session.handlers.ts';
import { createBalanceHandlers } from './billing/balance/balance.handlers.ts';
import { reapDue } from './billing/ledger/reap.ts';
import { createReceiptHandlers } from './billing/receipts/receipts.handlers.ts';
import { createUsageHandlers } from './billing/usage/usage.handlers.ts';
import { createStandingJob } from './catalog/facts/refresh-standings.ts';
import { foldTotals, refreshScoreDistributions } from './catalog/listings/refresh-score-distributions.ts';
import { createRecountJob } from './catalog/listings/refresh-vocabulary.ts';
import { readSynonyms } from './catalog/listings/synonyms.ts';
import { rewriteSearchWords } from './catalog/listings/write-listings.ts';
import { createPublicUrls } from './catalog/subjects/public-path.ts';
import { createChangeHandlers } from './directory/changes/change.handlers.ts';
import { deleteOldChanges, publishAsJob } from './directory/changes/change-feed.ts';
import { createDirectoryHandlers } from './directory/directory.handlers.ts';
import {
  createExplanationHandlers,
  createSignatureHandlers,
} from './directory/explanations/score.handlers.ts';
import {
  createChildClaimHandlers,
  createOwnAgentHandlers,
} from './directory/own-agents/own-agents.handlers.ts';
import { createPackageHandlers } from './directory/packages/package.handlers.ts';
import { createHosts } from './hosts/create-hosts.ts';
import { createRefreshJob, REFRESH_PERIOD_MS, refreshSources } from './intake/refresh/refresh-run.ts';
import { type CallLimiter, createCallLimiter } from './operations/call-limiter.ts';
import { createOperationHandlers, operationPartsOf } from './operations/operations.handlers.ts';
import { lapseProofs } from './ownership/proofs/lapse-proofs.ts';
import { createLinkedAccountHandlers } from './ownership/proofs/linked-accounts.handlers.ts';
import { recheckLinkedAccounts } from './ownership/proofs/recheck-linked-accounts.ts';
import type { Config } from './platform/config/load-config.ts';
import { refreshStatistics } from './platform/database/concurrent-index.ts';
import { combineObservers, connect, type Database } from './platform/database/connect.ts';
import { compressResponses } from './platform/http/compression/compress-responses.ts';
import type { Contract } from './platform/http/contract/contract.ts';
import { routesOf } from './platform/http/contract/handlers-of.ts';
import { openContract } from './platform/http/contract/prepared-contract.ts';
import type { RawErrorPage } from './platform/http/failures/raw-errors.ts';
import type { FailureFormat } from './platform/http/failures/send-failure.ts';
import { createRateLimits, type RateLimits } from './platform/http/limits/rate-limits.ts';
import { ResponseCache } from './platform/http/response-cache/response-cache.ts';
import type { ResponseCaching } from './platform/http/response-cache/response-cache-plugin.ts';
import { subscribeToInvalidation } from './platform/http/response-cache/subscribe-to-invalidation.ts';
import { type BackgroundJob, type JobLimits, schedule } from './platform/jobs/background-job.ts';
import { PACKED_SDK_FOLDER } from './platform/package-files.ts';
import { type ReplicatedReads, readFromReplicas } from './platform/read-replicas/replicated-reads.ts';
import { createMetrics, type Metrics } from './platform/telemetry/create-metrics.ts';
import { logToStderr } from './platform/telemetry/log-to-stderr.ts';
import { openTracer, traceRequests, traceStatements } from './platform/telemetry/open-tracer.ts';
import { createScoringBackend } from './scoring/backends/create-backend.ts';
import { measureBackend, traceBackend } from './scoring/backends/instrument-backend.ts';
import { scoreQueueSample } from './scoring/batches/score-queued-subjects.ts';
import { flushChargedScores } from './scoring/queue/enqueue-scoring.ts';
import type { ScoringBackend } from './scoring/scoring-backend.ts';
import { createScoreSigner } from './scoring/signing/score-signer.ts';
import type { KeySet } from './scoring/signing/signing-keys.ts';
import { rejectedRequestPage, unroutedFailurePage } from './web/components/failure-page.tsx';
import { registerConsole } from './web/console/register-console.tsx';
import { registerPages } from './web/public/register-pages.ts';
import { findSdkPackages } from './web/public/sdk/sdk.route.ts';
import { registerSignInPages } from './web/public/sign-in/sign-in.route.ts';

const ANSWERING_MS = 200;
const REAP_DEADLINE_MS = 60_000;
const LAST_USED_PERIOD_MS = 15_000;
const STATISTICS_PERIOD_MS = 5_000;
const FOLD_PERIOD_MS = 60_000;
const REWRITE_PERIOD_MS = 5_000;
const STANDINGS_PERIOD_MS = 60_000;
const RECOUNT_PERIOD_MS = 30_000;
const END_WARNINGS_PERIOD_MS = 600_000;
const DUE_PERIOD_MS = 30_000;
const PROOF_PERIOD_MS = 60_000;
const PUBLISH_PERIOD_MS = 1_000;
const RETENTION_PERIOD_MS = 600_000;

/** All parts of the server, connected. Only this file passes the parts to one another. */
export interface Services {
  config: Config;
  log: Logger;
  openContract(): Promise<Contract>;
  planBook: PlanBook;
  database: Database;
  /** Separate connection pool for public reads, so that they still get connections if the ledger uses up its own. */
  reads: Database;
  /** Replicas that serve reads instead of `reads`, as far as they are up to date; null if none are configured. */
  replicas: ReplicatedReads | null;
  answers: ResponseCaching;
  backend: ScoringBackend;
  rateLimits: RateLimits;
  knownCredentials: KnownCredentials;
  /** Route handlers of all operations in the contract, by operation id. */
  handlers: Readonly<Record<string, RouteHandlerMethod>>;
  securityHandlers: ReturnType<typeof createSecurityHandlers>;
  compressAnswers(app: FastifyInstance): Promise<void>;
  strayAsPage: FailureFormat;
  refusedAsPage: RawErrorPage;
  registerPages(app: FastifyInstance, contract: Contract): Promise<void>;
  callLimiter: CallLimiter;
  /** Metrics of this server; null if none are collected. */
  metrics: Metrics | null;
  traceRequests(app: FastifyInstance): void;
  /** Starts the background jobs. */
  startBackground(others?: readonly BackgroundJob[]): void;
  /** Stops the background jobs, then closes the connections; call it after the last request was answered. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  databaseUrl: string;
  /** Backend for tests; by default the configured one. */
  backend?: ScoringBackend;
  /** Keys that sign scores; by default, scores are not signed. */
  signingKeys?: KeySet | null;
  /** Destination of log lines; stderr by default, so that stdout is for people. */
  logTo?: DestinationStream;
}

/**
 * Builds the services from a configuration. Connects lazily, so it fails only if a file cannot be read or is invalid.
 */
export function createServices(config: Config, options: ServiceOptions): Services {
  const log = pino({ level: config.logLevel, base: null }, options.logTo ?? logToStderr());
  const planBook = readPlanBook(config.plansFile);
  const { databasePreparedStatements: preparedStatements } = config;
  const metrics = config.metrics && createMetrics();
  const tracer = config.tracing && openTracer(config.tracing);
  const reads = connect(options.databaseUrl, {
    poolSize: config.databaseReadPoolSize,
    preparedStatements,
    readOnly: true,
  });
  const { databaseReadUrls, databaseReadPoolSize: poolSize } = config;
  const replicas =
    databaseReadUrls.length > 0
      ? readFromReplicas(databaseReadUrls, { primary: reads, writes: () => database, poolSize, log })
      : null;
  const memory = config.responseCacheMb > 0 ? new ResponseCache(config.responseCacheMb * 1_048_576) : null;
  // A read-only session gets no error when its PostgreSQL server becomes a standby. If the ledger's pool notices this,
  // the sessions of the read pool are renewed, too.
  const onStaleSession = () => reads.renewSessions();
  const database = connect(options.databaseUrl, {
    poolSize: config.databasePoolSize,
    preparedStatements,
    // A call that gets no session must still have enough time to answer within its deadline.
    acquireTimeoutMs: config.timings.holdMs - ANSWERING_MS,
    onStaleSession,
    watch: combineObservers(metrics?.watch, tracer ? traceStatements(tracer) : undefined),
    onChange: (change) => memory?.invalidate(change),
  });
  const configuredBackend = createScoringBackend(config, tracer?.outgoing);
  const chosenBackend = options.backend ?? configuredBackend;
  const tracedBackend = tracer ? traceBackend(chosenBackend, tracer) : chosenBackend;
  const backend = metrics ? measureBackend(tracedBackend, metrics.meter) : tracedBackend;
  const callLimiter = createCallLimiter(config.meteredCalls);
  metrics?.readFrom({ ledger: database, reads, replicas, memory, callLimiter });
  const redis = config.redisUrl ? connectRedis(config.redisUrl, log) : null;
  const publicUrls = createPublicUrls(config.publicUrl, config.repositoryHosts);
  const lastUsed = startLastUsed(database, LAST_USED_PERIOD_MS);
  const hosts = createHosts(config);
  const providers = createIdentityProviders(config.signIn, config);
  const stopping = new AbortController();
  const rateLimits = createRateLimits(config.rateLimits, redis);
  const { publicUrl } = config;
  const signer = options.signingKeys ? createScoreSigner(publicUrl, options.signingKeys) : null;
  const operations = operationPartsOf({
    ...{ config, log, database, planBook, publicUrls, signer },
    backend: callLimiter.backend(backend),
  });
  const authentication = createAuthentication({ database, publicUrl, lastUsed, rateLimits });
  const parts = {
    config,
    log,
    database,
    reads,
    replicas,
    answers: { cache: memory, reads, beginReads: replicas?.begin },
    planBook,
    backend,
    publicUrls,
    signer,
    rateLimits,
    authentication,
    callLimiter,
    hosts,
    knownCredentials: createKnownCredentials(database),
    synonyms: readSynonyms(config.synonymsFile),
    operations: metrics?.failures(operations) ?? operations,
  };
  const { releasesDir, installFrom } = config.sdk;
  const sdk = findSdkPackages({ built: PACKED_SDK_FOLDER, earlier: releasesDir, installFrom }, publicUrls);
  let tasks: BackgroundJob[] = [];
  const every = (periodMs: number, name: string, work: () => Promise<number>, limits?: JobLimits) =>
    schedule(name, periodMs, metrics?.jobs(name, work) ?? work, log, limits);
  // The reaper releases held credits, so its pauses after failures are short: after an outage it must resume soon.
  const { reaperMs } = config.timings;
  const reaping = { deadlineMs: REAP_DEADLINE_MS, longestPauseMs: 2 * reaperMs };
  return {
    ...parts,
    metrics,
    traceRequests: (app) => void (tracer && traceRequests(app, tracer)),
    openContract,
    handlers: routesOf({
      ...createDirectoryHandlers(parts),
      ...createPackageHandlers(parts),
      ...createChangeHandlers(parts),
      ...createExplanationHandlers(parts),
      ...createSignatureHandlers(parts),
      ...createLinkedAccountHandlers(parts),
      ...createChildClaimHandlers(parts),
      ...createOwnAgentHandlers(parts),
      ...createOperationHandlers(parts),
      ...createReceiptHandlers(parts),
      ...createSessionHandlers(parts),
      ...createBalanceHandlers(parts),
      ...createKeyHandlers(parts),
      ...createUsageHandlers(parts),
    }),
    securityHandlers: createSecurityHandlers(authentication),
    compressAnswers: compressResponses,
    strayAsPage: unroutedFailurePage,
    refusedAsPage: rejectedRequestPage,
    async registerPages(app, contract) {
      await registerPages(app, {
        ...parts,
        reads: replicas?.each ?? reads,
        contract,
        sdk,
        isRefreshed: config.refreshPerHour > 0,
      });
      await registerConsole(app, parts);
      const settings = config.signIn;
      await registerSignInPages(app, {
        ...{ database, publicUrl, authentication, settings, backend, hosts },
        providers: await providers,
      });
    },
    startBackground(others = []) {
      tasks = [
        ...others,
        ...(memory ? [subscribeToInvalidation(options.databaseUrl, memory, reads)] : []),
        every(reaperMs, 'reap', () => reapDue(database), reaping),
        every(STATISTICS_PERIOD_MS, 'refresh statistics', () => refreshStatistics(database)),
        every(END_WARNINGS_PERIOD_MS, 'end warnings', createStandingJob(database)),
        every(RECOUNT_PERIOD_MS, 'recount vocabulary', createRecountJob(database)),
        every(REWRITE_PERIOD_MS, 'rewrite words', () => rewriteSearchWords(database, stopping.signal)),
        every(FOLD_PERIOD_MS, 'fold totals', () => foldTotals(database)),
        every(STANDINGS_PERIOD_MS, 'count standings', () => refreshScoreDistributions(database)),
        every(DUE_PERIOD_MS, 'score what is due', () => scoreQueueSample(database, backend, stopping.signal)),
        every(PROOF_PERIOD_MS, 'check proofs', () => recheckLinkedAccounts(parts)),
        every(PROOF_PERIOD_MS, 'lapse proofs', () => lapseProofs(database, backend)),
        every(PUBLISH_PERIOD_MS, 'publish changes', () => publishAsJob(database)),
        every(RETENTION_PERIOD_MS, 'delete old changes', () =>
          deleteOldChanges(database, config.changesDays),
        ),
      ];
      const perHour = config.refreshPerHour;
      const refresh = createRefreshJob(database, refreshSources(parts), perHour, stopping.signal, log);
      if (perHour > 0) tasks.push(every(REFRESH_PERIOD_MS, 'refresh facts', refresh));
    },
    async close() {
      stopping.abort();
      await Promise.all(tasks.map((task) => task.stop()));
      await lastUsed.stop();
      await hosts.close();
      await Promise.all((await providers).map((provider) => provider.close()));
      await configuredBackend.close();
      redis?.disconnect();
      await replicas?.close();
      await reads.close();
      await flushChargedScores(database);
      await database.close();
      await tracer?.close();
    },
  };
}

/**
 * Connects without an offline queue, so that an unreachable Redis does not delay requests. Logs each reason once per
 * outage.
 */
function connectRedis(url: string, log: Logger): Redis {
  // Loaded only if configured.
  const { Redis } = createRequire(import.meta.url)('ioredis') as typeof import('ioredis');
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 500 });
  let logged: string | null = null;
  redis.on('error', (error: NodeJS.ErrnoException) => {
    if (logged === error.message) return;
    logged = error.message;
    log.warn(
      { failure: error.code ?? error.name, reason: error.message },
      'the Redis of REDIS_URL is unreachable: until it answers, each process counts rate limits on its own',
    );
  });
  redis.on('ready', () => {
    if (logged !== null) log.info('the Redis of REDIS_URL answers again');
    logged = null;
  });
  return redis;
}
