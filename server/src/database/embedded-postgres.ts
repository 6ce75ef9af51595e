import { access, constants, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type Cluster,
  interruptCluster,
  ROLE,
  SERVER_SETTINGS,
  SOCKET_SETTINGS,
  startCluster,
  stopCluster,
} from './embedded/cluster.ts';
import { createDatabaseOnce } from './embedded/create-database.ts';
import { EmbeddedPostgresError, USE_YOUR_OWN } from './embedded/embedded-error.ts';
import { readPostmaster } from './embedded/lock-file.ts';
import { findMachine, settingsFor } from './embedded/machine-settings.ts';
import { passwordFile, prepareCluster } from './embedded/prepare-cluster.ts';
import { Presence } from './embedded/presence.ts';

/** A handle on the embedded server; `stop` must follow the last statement of this process. */
export interface EmbeddedPostgres {
  readonly url: string;
  /** False when a server of this data folder ran already and was joined. */
  readonly startedHere: boolean;
  /** Starts the server again where it has ended without being told to, on the port it had; answers whether it did. */
  revive(): Promise<boolean>;
  /** Ends this process's use; the last user stops the server. Safe to call twice. */
  stop(): Promise<void>;
}

/** A second process waits this long while a first one initialises, recovers or stops. */
const JOIN_TIMEOUT_MS = 150_000;
/** Starts that may fail because another process won, a port was taken, or a killed server's last session still ends. */
const MAX_FAILURES = 5;
const DATABASE = 'trust_directory';
/** Of the systems that it runs on the least: 107 on Linux, 103 on macOS. */
const MOST_SOCKET_PATH_BYTES = 103;

/**
 * Opens the PostgreSQL kept under `dataDir`: starts it, or joins the one that another process runs there (also one
 * that outlived its killed parent). The last to leave stops it. `onProgram` is told whenever a program of PostgreSQL is on its way.
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
      return (await startOrJoin(cluster, presence)).startedHere;
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
): Promise<{ url: string; startedHere: boolean }> {
  const deadline = Date.now() + JOIN_TIMEOUT_MS;
  let failure: unknown = new EmbeddedPostgresError(
    `The embedded PostgreSQL in ${cluster.folder} does not become ready.`,
  );
  for (let failures = 0; failures < MAX_FAILURES && Date.now() < deadline; ) {
    presence.announce();
    // In this order: a server seen after nobody leaves stays, because anyone who leaves from now on sees us.
    const busy = presence.someoneLeaves();
    const running = readPostmaster(cluster.folder);
    if (busy || (running && !running.ready)) {
      await wait(100);
      continue;
    }
    try {
      if (!running) await startCluster(cluster, await settingsHere(cluster));
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

/** 28P01 is the server's word; the driver refuses an empty one by itself. */
function isWrongPassword(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return code === '28P01' || (message ?? '').includes('client password must be a');
}

function wrongPassword(cluster: Cluster): EmbeddedPostgresError {
  const file = passwordFile(cluster);
  return new EmbeddedPostgresError(
    `The password in ${file} does not open the database in ${cluster.folder}: put back the file that was made with it; ` +
      `or move both away, to begin with an empty database, ${USE_YOUR_OWN}.`,
  );
}

async function settingsHere(cluster: Cluster): Promise<Readonly<Record<string, string>>> {
  return { ...SERVER_SETTINGS, ...SOCKET_SETTINGS, ...settingsFor(await findMachine(cluster.folder)) };
}

/**
 * By the server's socket, which costs less than TCP, where this process may use it. Host and port stand in the address
 * all the same.
 */
async function connectionUrl(cluster: Cluster): Promise<string> {
  const { port, socketFolder } = readPostmaster(cluster.folder) ?? {};
  if (!port) throw new EmbeddedPostgresError(`The embedded PostgreSQL in ${cluster.folder} has stopped.`);
  const password = (await readFile(passwordFile(cluster), 'utf8')).trim();
  const url = new URL(`postgres://${ROLE}:${password}@127.0.0.1:${port}/${DATABASE}`);
  if (socketFolder) {
    const folder = resolve(cluster.folder, socketFolder);
    if (await isSocketUsable(folder, port)) url.searchParams.set('host', folder);
  }
  return url.href;
}

/** False where the path is too long for the system, or another user's. */
async function isSocketUsable(folder: string, port: number): Promise<boolean> {
  const path = join(folder, `.s.PGSQL.${port}`);
  if (Buffer.byteLength(path) > MOST_SOCKET_PATH_BYTES) return false;
  return access(path, constants.R_OK | constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** Stops the server with the last user; a process that ends without calling it still asks the server to stop. */
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
