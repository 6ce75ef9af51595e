import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { type Config, loadForServing, onPort } from './platform/config/load-config.ts';
import { exitWithMessage } from './platform/config/open-files.ts';
import { readConfig } from './platform/config/process-config.ts';
import {
  RENEW_SERVER_MS,
  removeRunningServer,
  renewRunningServer,
  withAdvisoryLock,
} from './platform/database/advisory-lock.ts';
import { isDatabaseUnavailable } from './platform/database/database-errors.ts';
import { migrateUp, warnOfUnknownMigrations } from './platform/database/migrate.ts';
import {
  type DatabaseWait,
  requirePreparedStatements,
  unusableDatabase,
  waitForDatabase,
} from './platform/database/unusable-database.ts';
import { openWhileLoading } from './platform/embedded-postgres/embedded-postgres.ts';
import { holdPort, unusableAddress } from './platform/http/unusable-address.ts';
import { schedule } from './platform/jobs/background-job.ts';
import { requireReplicas } from './platform/read-replicas/replicated-reads.ts';
import type { MetricsAddress } from './platform/telemetry/meter.ts';
import type { ScoringBackend } from './scoring/scoring-backend.ts';
import { openSigningKeys, signingKeyWarning } from './scoring/signing/open-signing-keys.ts';
import type { Services } from './services.ts';

/**
 * Maximum time from a stop signal to the exit. A metered call in progress may take 45 s, and supervisors kill the
 * process after 60 s.
 */
const SHUTDOWN_BUDGET_MS = 55_000;
const REVIVE_PERIOD_MS = 1_000;

/**
 * Arbitrary id of the advisory lock: concurrent first starts on one database load the sample and create the key one
 * after the other.
 */
const DEMO_LOCK = 7_310_090;

export interface ServeOptions {
  /** Adds the sample and the demo account to the database of DATABASE_URL. */
  demo?: boolean;
  /** Scoring backend for tests. */
  backend?: ScoringBackend;
}

/**
 * Runs the server until a signal stops it: database, migrations, demo, listen. Stops in reverse order: requests
 * first, then background jobs and pools, then the database, so that nothing in progress loses its dependencies.
 */
export async function serve(options: ServeOptions = {}): Promise<void> {
  const asked = readConfig(loadForServing);
  const { opening, loading } = openWhileLoading(asked, loadParts);
  const stoppers: (() => Promise<unknown>)[] = [
    () => opening.then(({ stop }) => stop()).catch(() => undefined),
  ];
  const signals = stopOnSignal(stoppers);
  try {
    const { url: databaseUrl, embedded, revive } = await opening;
    const wait = databaseWait(asked, embedded);
    const migrating = bringUpToDate(asked, databaseUrl, embedded, wait);
    // Prevents an unhandled rejection if something else fails first; `await migrating` below reports the error.
    migrating.catch(() => undefined);
    const { createServices, buildApp, createDemoKey, loadSample, logToStderr, requireListedPlans } =
      await loading;
    const log = logToStderr({ isHeld: true });
    const { config, listen } = await takePort(asked);
    // A server with the embedded database is the only server on it, so it may create a missing key file.
    const signingKeys = await openSigningKeys(config, embedded);
    const services = createServices(config, { databaseUrl, logTo: log, signingKeys, ...options });
    stoppers.unshift(() => services.close());
    const app = await buildApp(services);
    stoppers.unshift(() => app.close());
    await migrating;
    const checkPlans = () => requireListedPlans(services.database, services.planBook, config.plansFile);
    await waitForDatabase(checkPlans, wait).catch((error) => {
      throw isDatabaseUnavailable(error) && !embedded ? unusableDatabase(error) : error;
    });
    const demo = options.demo || embedded;
    if (demo)
      await withAdvisoryLock(databaseUrl, DEMO_LOCK, () => loadSample(services.database, services.backend));
    const keyWarning = await signingKeyWarning(config, signingKeys);
    if (keyWarning !== null) services.log.warn(keyWarning);
    await listen(app).catch(refuseAddress(config));
    const metrics = config.metrics && (await openMetrics(services, config.metrics));
    if (metrics) stoppers.push(() => metrics.close());
    stoppers.unshift(async () => services.log.info('stopping: requests in progress are finished first'));
    stoppers.push(async () => services.log.info('stopped'));
    const own = { id: randomUUID(), publicUrl: config.publicUrl };
    const renew = () => renewRunningServer(services.database, own).then(() => 0);
    // If storing the address fails now, the job below stores it later.
    await renew().catch(() => undefined);
    stoppers.unshift(() => removeRunningServer(services.database, own.id).catch(() => undefined));
    const keepAlive = async () => ((await revive()) ? 1 : 0);
    services.startBackground([
      schedule('restart the embedded database', REVIVE_PERIOD_MS, keepAlive, services.log, {
        longestPauseMs: REVIVE_PERIOD_MS,
      }),
      schedule('renew the address of this server', RENEW_SERVER_MS, renew, services.log),
    ]);
    const createKey = () => createDemoKey(services.database, services.planBook);
    const secret = demo ? await withAdvisoryLock(databaseUrl, DEMO_LOCK, createKey) : null;
    const { printWelcome } = await import('./welcome.ts');
    await printWelcome(services, demo, secret);
    log.release();
  } catch (error) {
    // A stop during the start makes pending steps fail, so ignore their errors.
    if (signals.stopping) return;
    await stopAll(stoppers);
    throw error;
  }
}

/** Loads most of the server while its database starts. */
async function loadParts() {
  const [services, app, demo, log, plans] = await Promise.all([
    import('./services.ts'),
    import('./app.ts'),
    import('./welcome.ts').then(({ createDemoKey, loadSample }) => ({ createDemoKey, loadSample })),
    import('./platform/telemetry/log-to-stderr.ts'),
    import('./access/plans/lock-plan.ts'),
  ]);
  return { ...services, ...app, ...demo, ...log, ...plans };
}

/** Returns how long each step of the start waits for the database; the first step that has to wait logs it. */
function databaseWait(asked: Config, embedded: boolean): DatabaseWait {
  const seconds = embedded ? 0 : asked.databaseStartTimeoutSeconds;
  let isLogged = false;
  const onWait = (error: unknown) => {
    if (!isLogged) void logWait(asked, seconds, error);
    isLogged = true;
  };
  return { seconds, onWait };
}

async function bringUpToDate(
  asked: Config,
  url: string,
  embedded: boolean,
  wait: DatabaseWait,
): Promise<void> {
  try {
    const prepare = async () => {
      // Check this first. Behind a pooler that does not support prepared statements, many later statements would fail.
      if (asked.databasePreparedStatements && !embedded) await requirePreparedStatements(url);
      await migrateUp(url, { onUnknown: warnOfUnknownMigrations });
    };
    await waitForDatabase(prepare, wait);
  } catch (error) {
    if (embedded) throw error;
    throw unusableDatabase(error);
  }
  await requireReplicas(asked.databaseReadUrls, url, wait);
}

/** Logs that the database does not answer yet. Creates a logger, because the services do not exist yet. */
async function logWait({ logLevel }: Config, seconds: number, error: unknown): Promise<void> {
  const [{ pino }, { logToStderr }] = await Promise.all([
    import('pino'),
    import('./platform/telemetry/log-to-stderr.ts'),
  ]);
  const { code, message } = error as NodeJS.ErrnoException;
  const log = pino({ level: logLevel, base: null }, logToStderr());
  log.warn({ failure: code ?? message, seconds }, 'the database does not answer yet; waiting for it');
}

/** Binds a free port before the services are built if PORT is 0, because links contain the actual port. */
async function takePort(
  asked: Config,
): Promise<{ config: Config; listen(app: FastifyInstance): Promise<unknown> }> {
  const { host, port } = asked;
  if (port !== 0) return { config: asked, listen: (app) => app.listen({ host, port }) };
  const held = await holdPort(host).catch(refuseAddress(asked));
  return { config: onPort(asked, held.port), listen: held.listen };
}

/** Serves metrics until the very end of a stop, so that a hanging stop can be examined. */
async function openMetrics({ metrics, log }: Pick<Services, 'metrics' | 'log'>, address: MetricsAddress) {
  const server = await metrics?.listen(address).catch(refuseAddress(address, 'METRICS_'));
  if (server) log.info({ url: server.url }, 'serving metrics');
  return server;
}

function refuseAddress(
  address: Pick<Config, 'host' | 'port'>,
  prefix = '',
): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    throw unusableAddress(error, address, prefix);
  };
}

async function stopAll(stoppers: (() => Promise<unknown>)[]): Promise<void> {
  for (const stop of stoppers) await stop();
}

function stopOnSignal(stoppers: (() => Promise<unknown>)[]): { stopping: boolean } {
  const state = { stopping: false };
  const onSignal = () => {
    if (state.stopping) return;
    state.stopping = true;
    setTimeout(() => process.exit(1), SHUTDOWN_BUDGET_MS).unref();
    stopAll(stoppers).then(() => process.exit(0), exitWithMessage);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return state;
}
