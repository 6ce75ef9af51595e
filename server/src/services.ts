import { createRequire } from 'node:module';
import type { FastifyInstance, RouteHandlerMethod } from 'fastify';
import type { Redis } from 'ioredis';
import { type DestinationStream, type Logger, pino } from 'pino';
import { type BackgroundTask, type RoundLimits, repeat } from './background-task.ts';
import { createBalanceHandlers } from './balance/balance.handlers.ts';
import { createKnownCredentials, type KnownCredentials } from './callers/known-credentials.ts';
import { startLastUsed } from './callers/last-used.ts';
import type { Config } from './config/load-config.ts';
import { PACKED_SDK_FOLDER } from './config/own-files.ts';
import { registerConsole } from './console/register-console.ts';
import { connect, type Database } from './database/connect.ts';
import { bothWatch } from './database/database-watch.ts';
import { refreshStatistics } from './database/refresh-statistics.ts';
import { type ReplicatedReads, readFromReplicas } from './database/replicas/replicated-reads.ts';
import { createDirectoryHandlers } from './directory/directory.handlers.ts';
import { createAskedSearches } from './directory/lists/asked-searches.ts';
import { keepAskedTotals, keepCommonTotals } from './directory/lists/keep-search-totals.ts';
import { createChildClaimHandlers } from './directory/own-agents/child-claims.handlers.ts';
import { createOwnAgentHandlers } from './directory/own-agents/own-agents.handlers.ts';
import { createHosts } from './hosts/hosts.ts';
import { compressAnswers } from './http/compression/compress-answers.ts';
import type { Contract } from './http/contract/contract.ts';
import { routesOf } from './http/contract/handlers-of.ts';
import { openContract } from './http/contract/prepared-contract.ts';
import { createAuthentication } from './http/credentials/authenticate-caller.ts';
import { createSecurityHandlers } from './http/credentials/security.ts';
import type { FailureForm } from './http/failures/answer-failure.ts';
import type { RefusedAsPage } from './http/failures/raw-errors.ts';
import { AnswerMemory } from './http/kept-answers/answer-memory.ts';
import type { AnswerKeeping } from './http/kept-answers/keep-answers.ts';
import { keepWhileHeard } from './http/kept-answers/keep-while-heard.ts';
import { createRateLimits, type RateLimits } from './http/limits/rate-limits.ts';
import { createKeyHandlers } from './keys/keys.handlers.ts';
import { reapDue } from './ledger/reap.ts';
import { logToStderr } from './log-to-stderr.ts';
import { createMetrics, type Metrics } from './metrics/create-metrics.ts';
import { createOperationHandlers, operationPartsOf } from './operations/operations.handlers.ts';
import { createRoomForCalls, type RoomForCalls } from './operations/room-for-calls.ts';
import { refusedAsPage, strayAsPage } from './pages/frame/failure-as-page.ts';
import { registerPages } from './pages/register-pages.ts';
import { findSdkPackages } from './pages/sdk/sdk-packages.ts';
import { registerSignIn } from './pages/sign-in/register-sign-in.ts';
import { type PlanBook, readPlanBook } from './plans/plans.ts';
import { lapseProofs } from './proofs/lapse-proofs.ts';
import { createLinkedAccountHandlers } from './proofs/linked-accounts.handlers.ts';
import { recheckLinkedAccounts } from './proofs/recheck-linked-accounts.ts';
import { createReceiptHandlers } from './receipts/receipts.handlers.ts';
import { createRefreshRounds, REFRESH_PERIOD_MS } from './refresh/refresh-rounds.ts';
import { foldTotals } from './registry/listings/fold-totals.ts';
import { keepStandings } from './registry/listings/keep-standings.ts';
import { rewriteWords } from './registry/listings/rewrite-words.ts';
import { readSynonyms } from './registry/listings/synonyms.ts';
import { createScoringBackend } from './scoring/backends/create-backend.ts';
import { overtakenNoted } from './scoring/note-score-due.ts';
import { scoreSomeDue } from './scoring/score-due.ts';
import type { ScoringBackend } from './scoring/scoring-backend.ts';
import { createIdentityProviders } from './sign-in/identity-providers.ts';
import { createSessionHandlers } from './sign-in/session.handlers.ts';
import { createNaming } from './subjects/naming.ts';
import { openTracer } from './tracing/open-tracer.ts';
import { traceBackend } from './tracing/trace-backend.ts';
import { traceRequests } from './tracing/trace-requests.ts';
import { traceStatements } from './tracing/trace-statements.ts';
import { createUsageHandlers } from './usage/usage.handlers.ts';

const SAYING_SO_MS = 200;
const REAP_DEADLINE_MS = 60_000;
const LAST_USED_PERIOD_MS = 15_000;
const STATISTICS_PERIOD_MS = 5_000;
const FOLD_PERIOD_MS = 60_000;
const REWRITE_PERIOD_MS = 5_000;
const STANDINGS_PERIOD_MS = 60_000;
const ASKED_PERIOD_MS = 2_000;
const COMMON_PERIOD_MS = 30_000;
const DUE_PERIOD_MS = 30_000;
const PROOF_PERIOD_MS = 60_000;

/** Every part of the server, wired. Nothing else knows which part gets which. */
export interface Services {
  config: Config;
  log: Logger;
  openContract(): Promise<Contract>;
  planBook: PlanBook;
  database: Database;
  /** Sessions of their own for what everybody may read, so that the ledger's troubles leave it alone. */
  reads: Database;
  /** Replicas that are read from in place of `reads`, as far as they have come; null where there are none. */
  replicas: ReplicatedReads | null;
  answers: AnswerKeeping;
  backend: ScoringBackend;
  rateLimits: RateLimits;
  knownCredentials: KnownCredentials;
  /** A route for every operation of the contract, by its id. */
  handlers: Readonly<Record<string, RouteHandlerMethod>>;
  securityHandlers: ReturnType<typeof createSecurityHandlers>;
  compressAnswers(app: FastifyInstance): Promise<void>;
  strayAsPage: FailureForm;
  refusedAsPage: RefusedAsPage;
  registerPages(app: FastifyInstance): Promise<void>;
  roomForCalls: RoomForCalls;
  /** Null: nothing is counted. */
  metrics: Metrics | null;
  traceRequests(app: FastifyInstance): void;
  /** Starts the work that goes on beside the requests. */
  startBackground(others?: readonly BackgroundTask[]): void;
  /** Ends that work, then the connections; call it after the last request was answered. */
  close(): Promise<void>;
}

export interface ServiceOptions {
  databaseUrl: string;
  /** A stand-in for tests; else what the configuration says. */
  backend?: ScoringBackend;
  /** Where log lines go; stderr by default, so that stdout is for people. */
  logTo?: DestinationStream;
}

/** Builds the services from a configuration; connects lazily, so this fails only on files that cannot be read. */
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
  const memory = config.keptAnswersMb > 0 ? new AnswerMemory(config.keptAnswersMb * 1_048_576) : null;
  // A session that only reads never learns that its server was demoted.
  const onStaleSession = () => reads.renewSessions();
  const database = connect(options.databaseUrl, {
    poolSize: config.databasePoolSize,
    preparedStatements,
    // So that a call that gets no session can still say so in its time.
    acquireTimeoutMs: config.timings.holdMs - SAYING_SO_MS,
    onStaleSession,
    watch: bothWatch(metrics?.watch, tracer ? traceStatements(tracer) : undefined),
    onChange: (change) => memory?.drop(change),
  });
  const configuredBackend = createScoringBackend(config, tracer?.outgoing);
  const chosenBackend = options.backend ?? configuredBackend;
  const tracedBackend = tracer ? traceBackend(chosenBackend, tracer) : chosenBackend;
  const backend = metrics?.backend(tracedBackend) ?? tracedBackend;
  const roomForCalls = createRoomForCalls(config.meteredCalls);
  metrics?.readFrom({ ledger: database, reads, replicas, memory, roomForCalls });
  const redis = config.redisUrl ? connectRedis(config.redisUrl, log) : null;
  const naming = createNaming(config.publicUrl, config.repositoryHosts);
  const lastUsed = startLastUsed(database, LAST_USED_PERIOD_MS);
  const hosts = createHosts(config);
  const providers = createIdentityProviders(config.signIn, config);
  const stopping = new AbortController();
  const rateLimits = createRateLimits(config.rateLimits, redis);
  const { publicUrl } = config;
  const operations = operationPartsOf({
    ...{ config, log, database, planBook, naming },
    backend: roomForCalls.backend(backend),
  });
  const authentication = createAuthentication({ database, publicUrl, lastUsed, rateLimits });
  const parts = {
    config,
    log,
    database,
    reads,
    replicas,
    answers: { memory, reads, beginReads: replicas?.begin },
    planBook,
    backend,
    naming,
    rateLimits,
    authentication,
    roomForCalls,
    hosts,
    knownCredentials: createKnownCredentials(database),
    asked: createAskedSearches(),
    synonyms: readSynonyms(config.synonymsFile),
    operations: metrics?.troubles(operations) ?? operations,
  };
  const { releasesDir, installFrom } = config.sdk;
  const sdk = findSdkPackages({ built: PACKED_SDK_FOLDER, earlier: releasesDir, installFrom }, naming);
  let tasks: BackgroundTask[] = [];
  const every = (periodMs: number, name: string, work: () => Promise<number>, limits?: RoundLimits) =>
    repeat(name, periodMs, metrics?.rounds(name, work) ?? work, log, limits);
  // Credits wait for it: it is back at once when the database is.
  const { reaperMs } = config.timings;
  const reaping = { deadlineMs: REAP_DEADLINE_MS, longestPauseMs: 2 * reaperMs };
  return {
    ...parts,
    metrics,
    traceRequests: (app) => void (tracer && traceRequests(app, tracer)),
    openContract,
    handlers: routesOf({
      ...createDirectoryHandlers(parts),
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
    compressAnswers,
    strayAsPage,
    refusedAsPage,
    async registerPages(app) {
      await registerPages(app, {
        ...parts,
        reads: replicas?.each ?? reads,
        contract: await openContract(),
        sdk,
      });
      await registerConsole(app, parts);
      const settings = config.signIn;
      await registerSignIn(app, {
        ...{ database, publicUrl, authentication, settings, backend, hosts },
        providers: await providers,
      });
    },
    startBackground(others = []) {
      tasks = [
        ...others,
        ...(memory ? [keepWhileHeard(options.databaseUrl, memory, reads)] : []),
        every(reaperMs, 'reap', () => reapDue(database), reaping),
        every(STATISTICS_PERIOD_MS, 'refresh statistics', () => refreshStatistics(database)),
        every(ASKED_PERIOD_MS, 'keep totals of asked searches', () =>
          keepAskedTotals(database, parts.asked, stopping.signal),
        ),
        every(COMMON_PERIOD_MS, 'keep totals of common searches', () =>
          keepCommonTotals(database, stopping.signal),
        ),
        every(REWRITE_PERIOD_MS, 'rewrite words', () => rewriteWords(database, stopping.signal)),
        every(FOLD_PERIOD_MS, 'fold totals', () => foldTotals(database)),
        every(STANDINGS_PERIOD_MS, 'count standings', () => keepStandings(database)),
        every(DUE_PERIOD_MS, 'score what is due', () => scoreSomeDue(database, backend, stopping.signal)),
        every(PROOF_PERIOD_MS, 'check proofs', () => recheckLinkedAccounts(parts)),
        every(PROOF_PERIOD_MS, 'lapse proofs', () => lapseProofs(database, backend)),
      ];
      const perHour = config.repositoryRefreshPerHour;
      const refresh = createRefreshRounds(parts, perHour, stopping.signal);
      if (perHour > 0) tasks.push(every(REFRESH_PERIOD_MS, 'refresh repositories', refresh));
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
      await overtakenNoted(database);
      await database.close();
      await tracer?.close();
    },
  };
}

/** Without an offline queue: a Redis that is away must not make requests wait for it. Each reason is logged once an outage. */
function connectRedis(url: string, log: Logger): Redis {
  // Loaded only where there is one.
  const { Redis } = createRequire(import.meta.url)('ioredis') as typeof import('ioredis');
  const redis = new Redis(url, { enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 500 });
  let logged: string | null = null;
  redis.on('error', (error: NodeJS.ErrnoException) => {
    if (logged === error.message) return;
    logged = error.message;
    log.warn(
      { failure: error.code ?? error.name, reason: error.message },
      'the Redis of REDIS_URL is out of reach: until it answers, each process counts its rate limits alone',
    );
  });
  redis.on('ready', () => {
    if (logged !== null) log.info('the Redis of REDIS_URL answers again');
    logged = null;
  });
  return redis;
}
