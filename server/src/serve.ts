import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { repeat } from './background-task.ts';
import { type Config, loadForServing, onPort } from './config/load-config.ts';
import { readConfig } from './config/read-config.ts';
import { withAdvisoryLock } from './database/advisory-lock.ts';
import { migrateUp, warnOfUnknownMigrations } from './database/migrate.ts';
import { openWhileLoading } from './database/open-database.ts';
import { requireReplicas } from './database/replicas/require-replicas.ts';
import { requireKeptStatements } from './database/require-kept-statements.ts';
import { RENEW_SERVER_MS, removeRunningServer, renewRunningServer } from './database/running-servers.ts';
import { unusableDatabase } from './database/unusable-database.ts';
import { waitForDatabase } from './database/wait-for-database.ts';
import { exitWith } from './exit-with.ts';
import { holdPort } from './http/held-port.ts';
import { unusableAddress } from './http/unusable-address.ts';
import type { MetricsAddress } from './metrics/serve-metrics.ts';
import type { ScoringBackend } from './scoring/scoring-backend.ts';
import type { Services } from './services.ts';

/** What is under way must end within this: a metered call may take 45 s, and supervisors kill after 60. */
const SHUTDOWN_BUDGET_MS = 55_000;
const REVIVE_PERIOD_MS = 1_000;

/** Any fixed number: two first starts on one database load the sample and make the key one after the other. */
const DEMO_LOCK = 7_310_090;

export interface ServeOptions {
  /** Adds the sample and the demo account to a database of one's own, too. */
  demo?: boolean;
  /** A stand-in scoring backend for tests. */
  backend?: ScoringBackend;
}

/**
 * Runs the server until it is told to stop: database, migrations, demo, listen; then back the same way. Requests end
 * first, then background work and the pool, then the database, so that nothing in flight loses its ground.
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
    const migrating = bringUpToDate(asked, databaseUrl, embedded);
    // Told of below, unless something else fails before.
    migrating.catch(() => undefined);
    const { createServices, buildApp, createDemoKey, loadSample, logToStderr, requireListedPlans } =
      await loading;
    const log = logToStderr({ isHeld: true });
    const { config, listen } = await takePort(asked);
    const services = createServices(config, { databaseUrl, logTo: log, ...options });
    stoppers.unshift(() => services.close());
    const app = await buildApp(services);
    stoppers.unshift(() => app.close());
    await migrating;
    await requireListedPlans(services.database, services.planBook, config.plansFile);
    const demo = options.demo || embedded;
    if (demo)
      await withAdvisoryLock(databaseUrl, DEMO_LOCK, () => loadSample(services.database, services.backend));
    await listen(app).catch(refuseAddress(config));
    const metrics = config.metrics && (await openMetrics(services, config.metrics));
    if (metrics) stoppers.push(() => metrics.close());
    stoppers.unshift(async () => services.log.info('stopping: what is under way is finished first'));
    stoppers.push(async () => services.log.info('stopped'));
    const own = { id: randomUUID(), publicUrl: config.publicUrl };
    const renew = () => renewRunningServer(services.database, own).then(() => 0);
    // The next round stores it where this one cannot.
    await renew().catch(() => undefined);
    stoppers.unshift(() => removeRunningServer(services.database, own.id).catch(() => undefined));
    const keepAlive = async () => ((await revive()) ? 1 : 0);
    services.startBackground([
      repeat('restart the embedded database', REVIVE_PERIOD_MS, keepAlive, services.log, {
        longestPauseMs: REVIVE_PERIOD_MS,
      }),
      repeat('renew the address of this server', RENEW_SERVER_MS, renew, services.log),
    ]);
    const createKey = () => createDemoKey(services.database, services.planBook);
    const secret = demo ? await withAdvisoryLock(databaseUrl, DEMO_LOCK, createKey) : null;
    const { printWelcome } = await import('./welcome.ts');
    await printWelcome(services, demo, secret);
    log.release();
  } catch (error) {
    // Stopping in the middle of a start makes whatever was under way fail.
    if (signals.stopping) return;
    await stopAll(stoppers);
    throw error;
  }
}

/** Most of the server is loaded while its database starts, and put together while its schema is looked at. */
async function loadParts() {
  const [services, app, demo, log, plans] = await Promise.all([
    import('./services.ts'),
    import('./app.ts'),
    import('./demo.ts').then(({ createDemoKey, loadSample }) => ({ createDemoKey, loadSample })),
    import('./log-to-stderr.ts'),
    import('./plans/require-listed-plans.ts'),
  ]);
  return { ...services, ...app, ...demo, ...log, ...plans };
}

async function bringUpToDate(asked: Config, url: string, embedded: boolean): Promise<void> {
  try {
    const prepare = async () => {
      // Before anything else is kept there: sessions that forget would keep half of it.
      if (asked.databasePreparedStatements && !embedded) await requireKeptStatements(url);
      await migrateUp(url, { onUnknown: warnOfUnknownMigrations });
    };
    const seconds = embedded ? 0 : asked.databaseStartTimeoutSeconds;
    await waitForDatabase(prepare, { seconds, onWait: (error) => void tellOfWait(asked, seconds, error) });
  } catch (error) {
    if (embedded) throw error;
    throw unusableDatabase(error);
  }
  await requireReplicas(asked.databaseReadUrls, url);
}

/** Logs that the database does not answer yet. The services, and the logger with them, are made once it does. */
async function tellOfWait({ logLevel }: Config, seconds: number, error: unknown): Promise<void> {
  const [{ pino }, { logToStderr }] = await Promise.all([import('pino'), import('./log-to-stderr.ts')]);
  const { code, message } = error as NodeJS.ErrnoException;
  const log = pino({ level: logLevel, base: null }, logToStderr());
  log.warn({ failure: code ?? message, seconds }, 'the database does not answer yet, the start waits for it');
}

/** A port that is anyone's choice (0) is taken before the parts are built, since the links they build name it. */
async function takePort(
  asked: Config,
): Promise<{ config: Config; listen(app: FastifyInstance): Promise<unknown> }> {
  const { host, port } = asked;
  if (port !== 0) return { config: asked, listen: (app) => app.listen({ host, port }) };
  const held = await holdPort(host).catch(refuseAddress(asked));
  return { config: onPort(asked, held.port), listen: held.listen };
}

/** They answer as long as anything of the server lives: a stop that hangs can be looked at. */
async function openMetrics({ metrics, log }: Pick<Services, 'metrics' | 'log'>, address: MetricsAddress) {
  const server = await metrics?.listen(address).catch(refuseAddress(address, 'METRICS_'));
  if (server) log.info({ url: server.url }, 'metrics are answered');
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
    stopAll(stoppers).then(() => process.exit(0), exitWith);
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  return state;
}
