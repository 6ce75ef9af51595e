import { readFile, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Config } from '../config/load-config.ts';
import { adviceOn, EmbeddedPostgresError, USE_YOUR_OWN } from './advice.ts';
import {
  type Cluster,
  interruptCluster,
  ROLE,
  SERVER_SETTINGS,
  samePort,
  startCluster,
  stopCluster,
} from './cluster.ts';
import { createDatabaseOnce, passwordFile, prepareCluster } from './prepare-cluster.ts';
import { Presence, readPostmaster } from './server-processes.ts';

/** Handle of the embedded server. Call `stop` after the last statement of this process. */
export interface EmbeddedPostgres {
  readonly url: string;
  /** False if this process joined a server that was already running. */
  readonly startedHere: boolean;
  /** Restarts the server on its port if it has ended unexpectedly. Returns true if this process restarted it. */
  revive(): Promise<boolean>;
  /** Ends the use by this process; the last process that uses the server stops it. May be called more than once. */
  stop(): Promise<void>;
}

/** Maximum time in milliseconds to wait while another process initializes, recovers or stops the server. */
const JOIN_TIMEOUT_MS = 150_000;
/**
 * Maximum number of failed starts. A start may fail because another process starts the server first, the port is
 * taken, or the last session of a killed server is still ending.
 */
const MAX_FAILURES = 5;
const DATABASE = 'trust_directory';

/**
 * Opens the PostgreSQL server of `dataDir`. Starts it, or joins it if it runs already, even if the process that
 * started it was killed. The last process to leave stops it. Calls `onProgram` whenever it launches a PostgreSQL
 * program.
 */
export async function openEmbeddedPostgres(
  dataDir: string,
  onProgram?: () => void,
): Promise<EmbeddedPostgres> {
  const cluster = await prepareCluster(dataDir, onProgram);
  const presence = new Presence(join(dirname(cluster.folder), 'postgres-users'));
  const stop = stopWhenLast(cluster, presence);
  try {
    const opened = await startOrJoin(cluster, presence);
    const revive = async () => {
      if (readPostmaster(cluster.folder)) return false;
      return (await startOrJoin(cluster, presence, samePort)).startedHere;
    };
    return { ...opened, revive, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startOrJoin(
  cluster: Cluster,
  presence: Presence,
  choosePort?: (lastPort: number) => Promise<number>,
): Promise<{ url: string; startedHere: boolean }> {
  const deadline = Date.now() + JOIN_TIMEOUT_MS;
  let failure: unknown = new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${cluster.folder} did not become ready.`,
  );
  for (let failures = 0; failures < MAX_FAILURES && Date.now() < deadline; ) {
    presence.announce();
    // Check in this order. If no process is leaving now, any process that leaves later sees our announcement and does
    // not stop the server.
    const busy = presence.isAnotherLeaving();
    const running = readPostmaster(cluster.folder);
    if (busy || (running && !running.ready)) {
      await wait(100);
      continue;
    }
    try {
      if (!running) await startCluster(cluster, await settingsHere(cluster), choosePort);
      const url = await connectionUrl(cluster);
      await createDatabaseOnce(url);
      return { url, startedHere: !running };
    } catch (error) {
      if (isWrongPassword(error)) throw wrongPassword(cluster);
      failure = error;
      failures += 1;
      await wait(500);
    }
  }
  throw failure;
}

/** Recognizes a rejected password: 28P01 comes from the server; the driver itself rejects an empty one. */
function isWrongPassword(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '28P01' || (message ?? '').includes('client password must be a');
}

function wrongPassword(cluster: Cluster): EmbeddedPostgresError {
  const file = passwordFile(cluster);
  return new EmbeddedPostgresError(
    `The password in ${file} does not open the database in ${cluster.folder}: restore the original file; ` +
      `or move both away to begin with an empty database, ${USE_YOUR_OWN}.`,
  );
}

async function settingsHere(cluster: Cluster): Promise<Readonly<Record<string, string>>> {
  return { ...SERVER_SETTINGS, ...settingsFor(await findMachine(cluster.folder)) };
}

async function connectionUrl(cluster: Cluster): Promise<string> {
  const port = readPostmaster(cluster.folder)?.port;
  if (!port) throw new EmbeddedPostgresError(`The embedded PostgreSQL in ${cluster.folder} has stopped.`);
  const password = (await readFile(passwordFile(cluster), 'utf8')).trim();
  return new URL(`postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`).href;
}

/**
 * Returns a function that stops the server if no other process uses it. If this process is the last one that uses the
 * server, and exits without calling the function, it sends the server a stop signal.
 */
function stopWhenLast(cluster: Cluster, presence: Presence): () => Promise<void> {
  let stopped: Promise<void> | null = null;
  const onExit = () => {
    if (presence.leave()) interruptCluster(cluster);
    presence.left();
  };
  process.once('exit', onExit);
  const stop = async () => {
    process.removeListener('exit', onExit);
    if (!presence.leave()) return;
    await stopCluster(cluster).finally(() => presence.left());
  };
  return () => {
    stopped ??= stop();
    return stopped;
  };
}

/** Available memory and disk space, in bytes, from which settings are derived. */
interface Machine {
  /** Memory available to this process, limited by its container. */
  readonly memory: number;
  /** Free space on the data disk; null if unknown. */
  readonly freeDisk: number | null;
}

const MB = 2 ** 20;
const GB = 2 ** 30;
/** Maximum size of the write-ahead log, so that crash recovery reads it well within the start timeout. */
const MOST_WAL = 4 * GB;
const LEAST_WAL = 256 * MB;
/**
 * Share of the free disk that the write-ahead log may take. It is small because PostgreSQL removes old log files late
 * after a burst of writes.
 */
const SHARE_OF_DISK = 1 / 20;

/** Measures the machine or container of this process, and the disk of a folder. */
export async function findMachine(folder: string): Promise<Machine> {
  const disk = await statfs(folder).catch(() => null);
  const constrained = process.constrainedMemory?.() ?? 0;
  // constrainedMemory is 0, or more than the total memory, if there is no limit.
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return { memory, freeDisk: disk && disk.bavail * disk.bsize };
}

/**
 * Chooses memory, log and checkpoint settings of the embedded server. It shares the machine, so it uses an eighth of
 * the memory for buffers. With 3 GB of buffers instead of 1 GB, 95% of repeated searches among a million listings take
 * at most 67 instead of 90 ms (`npm run bench -- search`). `pg_prewarm` reads the buffers again after a restart, so
 * that the first searches need not. Durability settings stay unchanged. Without these settings,
 * `embedded-postgres.test.ts` and `embedded-postgres.long.test.ts` fail.
 */
export function settingsFor({ memory, freeDisk }: Machine): Readonly<Record<string, string>> {
  const wal = within(LEAST_WAL, (freeDisk ?? 0) * SHARE_OF_DISK, MOST_WAL);
  return {
    shared_buffers: megabytes(within(32 * MB, memory / 8, 8 * GB)),
    effective_cache_size: megabytes(within(128 * MB, memory / 2, 64 * GB)),
    work_mem: megabytes(within(4 * MB, memory / 512, 32 * MB)),
    maintenance_work_mem: megabytes(within(32 * MB, memory / 32, 512 * MB)),
    max_wal_size: megabytes(wal),
    min_wal_size: megabytes(wal / 4),
    // After a checkpoint, the first change of a page logs the whole page. Checkpoints therefore run a third as often
    // as by default.
    checkpoint_timeout: '15min',
    shared_preload_libraries: 'pg_prewarm',
  };
}

function within(least: number, wanted: number, most: number): number {
  return Math.min(Math.max(least, wanted), most);
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / MB)}MB`;
}

export interface OpenDatabase {
  url: string;
  /** True for the embedded server under the data folder. */
  embedded: boolean;
  /** Restarts the embedded server if it was killed. Returns true if this process restarted it. */
  revive(): Promise<boolean>;
  /** Disconnects. The last process that uses an embedded server stops it. */
  stop(): Promise<void>;
}

type Where = Pick<Config, 'databaseUrl' | 'dataDir'>;

/**
 * Opens the database and loads the application modules meanwhile. Loading starts only when a PostgreSQL program has
 * been launched, because the launch would otherwise wait behind hundreds of file reads. The start takes at most 1,000
 * ms more than that of PostgreSQL alone (`npm run bench -- start`). Without loading in parallel,
 * `open-database.long.test.ts` fails.
 */
export function openWhileLoading<Parts>(
  where: Where,
  load: () => Promise<Parts>,
): { opening: Promise<OpenDatabase>; loading: Promise<Parts> } {
  let begin: () => void = () => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const opening = openDatabase(where, begin);
  const loading = Promise.race([begun, opening]).then(load);
  // The caller that awaits the database gets its error.
  loading.catch(() => undefined);
  return { opening, loading };
}

/**
 * Opens the configured database or, without one, starts or joins the embedded server. Calls `onProgram` whenever it
 * launches a PostgreSQL program.
 */
export async function openDatabase(config: Where, onProgram?: () => void): Promise<OpenDatabase> {
  if (config.databaseUrl)
    return {
      url: config.databaseUrl,
      embedded: false,
      revive: async () => false,
      stop: async () => undefined,
    };
  const server = await openEmbeddedPostgres(config.dataDir, onProgram).catch(
    (error: NodeJS.ErrnoException) => {
      // System errors do not name the setting; our own errors do.
      if (!error.syscall) throw error;
      const advice = adviceOn(`${error.code} ${error.message}`);
      const reason = `DATA_DIR ${config.dataDir} cannot be used: ${error.message}.`;
      throw new Error(advice === null ? reason : `${reason} ${advice}.`);
    },
  );
  return { url: server.url, embedded: true, revive: () => server.revive(), stop: () => server.stop() };
}
