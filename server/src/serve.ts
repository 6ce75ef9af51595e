import { buildApp } from './app.ts';
import { type Config, loadConfig, readEnvironment } from './config.ts';
import { migrateUp } from './database/migrate.ts';
import { openDatabase } from './database/open-database.ts';
import { createDemoKey, loadSample } from './demo.ts';
import type { ScoringBackend } from './scoring/scoring-backend.ts';
import { createServices } from './services.ts';
import { printWelcome } from './welcome.ts';

/** What is under way must end within this: a metered call may take 45 s, and supervisors kill after 60. */
const SHUTDOWN_BUDGET_MS = 55_000;

export interface ServeOptions {
  /** A stand-in scoring backend for tests. */
  backend?: ScoringBackend;
}

/**
 * Runs the server until it is told to stop: database, migrations, demo, listen; then back the same way. Requests end
 * first, then background work and the pool, then the database, so that nothing in flight loses its ground.
 */
export async function serve(options: ServeOptions = {}): Promise<void> {
  const config = loadConfig(readEnvironment());
  const opening = openDatabase(config);
  const stoppers: (() => Promise<unknown>)[] = [
    () => opening.then(({ stop }) => stop()).catch(() => undefined),
  ];
  const signals = stopOnSignal(stoppers);
  try {
    const { url: databaseUrl, embedded } = await opening;
    await migrateUp(databaseUrl);
    const services = createServices(config, { databaseUrl, ...options });
    stoppers.unshift(() => services.close());
    const demo = embedded || process.argv.includes('--demo');
    if (demo) await loadSample(services.database, services.backend);
    const app = await buildApp(services);
    stoppers.unshift(() => app.close());
    await app.listen({ host: config.host, port: config.port }).catch(explainListening(config));
    services.startBackground();
    const secret = demo ? await createDemoKey(services.database, services.planBook) : null;
    await printWelcome(services, demo, secret);
  } catch (error) {
    // Stopping in the middle of a start makes whatever was under way fail.
    if (signals.stopping) return;
    await stopAll(stoppers);
    throw error;
  }
}

function explainListening({
  host,
  port,
}: Pick<Config, 'host' | 'port'>): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    if (error.code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} of ${host} is in use: stop what listens there, or set PORT to another.`);
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

/** Ends the process with a sentence for its operator: no stack, since the sentence says what to do. */
export function exitWith(error: unknown): never {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
