import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { adviceOn, EmbeddedPostgresError } from './advice.ts';
import type { PostgresBinaries, UnprivilegedUser } from './postgres-programs.ts';
import { lastPort, readPostmaster, removeStaleServerLock } from './server-processes.ts';

/** A PostgreSQL data folder, its programs, and the user as which they run. */
export interface Cluster {
  readonly folder: string;
  readonly binaries: PostgresBinaries;
  readonly user: UnprivilegedUser | null;
  /** Called whenever a PostgreSQL program is launched. */
  readonly onProgram?: (() => void) | undefined;
}

/** Database role that owns the cluster and as which the application connects. */
export const ROLE = 'trust_directory';

/**
 * Settings of the embedded server on any machine. It listens on loopback TCP only. It logs only LOG, FATAL and PANIC,
 * which contain no statements, so that neither data nor hashes reach the log.
 */
export const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_lock_waits: 'on',
  // Shorter than the sessions' lock_timeout of 1 s, so that deadlocks are reported as such.
  deadlock_timeout: '500ms',
};

/** Start timeout in seconds; crash recovery can take long before the server is ready. */
const START_TIMEOUT_SECONDS = 120;
const STOP_TIMEOUT_SECONDS = 60;
const PORT_TRIES = 5;
/** Number of a program's last output lines that an error contains. */
const LINES_TOLD = 5;

/**
 * Creates an empty cluster: UTF-8, sorted by code point (independent of the system's locales), with checksums and SCRAM
 * passwords. The password is passed in a file, never on a command line.
 */
export async function initialiseCluster(cluster: Cluster, passwordFile: string, options: { sync: boolean }) {
  await runProgram(cluster, cluster.binaries.initdb, [
    `--pgdata=${cluster.folder}`,
    `--username=${ROLE}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    ...(options.sync ? [] : ['--no-sync']),
  ]);
}

/**
 * Starts the server and waits until it accepts connections. `pg_ctl` starts it in a separate process session, so that
 * Ctrl-C reaches only this process, which stops the server after its last statement. If another process takes the
 * chosen port first, calls `choosePort` again, up to four times.
 */
export async function startCluster(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
  choosePort: (lastPort: number) => Promise<number> = freePort,
): Promise<void> {
  const port = lastPort(cluster.folder);
  await removeStaleServerLock(cluster.folder);
  for (let triesLeft = PORT_TRIES - 1; ; triesLeft -= 1) {
    const failure = await startOnPort(cluster, settings, await choosePort(port));
    if (failure === null) return;
    if (triesLeft === 0 || !failure.message.includes('Address already in use')) throw failure;
  }
}

/** Starts the server on a port. Returns null if it then runs, otherwise the error with the last lines of the log. */
async function startOnPort(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
  port: number,
): Promise<EmbeddedPostgresError | null> {
  const log = join(cluster.folder, 'server.log');
  await rename(log, `${log}.1`).catch(() => undefined);
  const flags = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  const options = [`-p ${port}`, ...flags].join(' ');
  try {
    await runProgram(cluster, cluster.binaries.pgCtl, [
      ...['start', '-w', '-t', String(START_TIMEOUT_SECONDS)],
      ...['-D', cluster.folder, '-l', log, '-o', options],
    ]);
    return null;
  } catch (error) {
    const lines = (await readFile(log, 'utf8').catch(() => ''))
      .trim()
      .split('\n')
      .slice(-LINES_TOLD)
      .join('\n');
    return explained(`${(error as Error).message}\n${lines}`.trim());
  }
}

/**
 * Stops the server. Running statements are cancelled; committed work is on disk. Succeeds if the server has already
 * stopped.
 */
export async function stopCluster(cluster: Cluster, mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
  try {
    await runProgram(cluster, cluster.binaries.pgCtl, [
      ...['stop', '-w', '-t', String(STOP_TIMEOUT_SECONDS), '-m', mode, '-D', cluster.folder],
    ]);
  } catch (error) {
    if (readPostmaster(cluster.folder)) throw error;
  }
}

/** Signals the server to stop, but does not wait, because an exiting process cannot. */
export function interruptCluster(cluster: Cluster): void {
  const running = readPostmaster(cluster.folder);
  if (running) process.kill(running.pid, 'SIGINT');
}

async function runProgram(cluster: Cluster, program: string, parameters: readonly string[]): Promise<void> {
  const child = spawn(program, parameters, {
    ...(cluster.user ?? {}),
    cwd: dirname(cluster.folder),
    // Own process group, so that Ctrl-C does not interrupt a start or a stop.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: programEnvironment(),
  });
  cluster.onProgram?.();
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (error) => {
      reject(
        new EmbeddedPostgresError(
          `${program} cannot be run here (${error.message}): install PostgreSQL another way and set DATABASE_URL.`,
        ),
      );
    });
    child.once('close', resolve);
  });
  if (code === 0) return;
  const end = output.trim().split('\n').slice(-LINES_TOLD).join('\n');
  throw explained(`${program} ${parameters[0]} failed (${code}): ${end}`);
}

/** Wraps a failure of PostgreSQL, with advice first if there is any. */
function explained(failure: string): EmbeddedPostgresError {
  const advice = failure.startsWith(ADVICE_FIRST) ? null : adviceOn(failure);
  return new EmbeddedPostgresError(advice === null ? failure : `${ADVICE_FIRST}${advice}.\n${failure}`);
}
const ADVICE_FIRST = 'The embedded PostgreSQL cannot start. ';

/**
 * Returns the environment of PostgreSQL's programs, with almost nothing of our own. Ours may contain secrets, and its
 * PG* variables would make the programs use another database.
 */
function programEnvironment(): NodeJS.ProcessEnv {
  const { PATH, SystemRoot, TEMP } = process.env;
  return {
    LC_ALL: 'C',
    TZ: 'UTC',
    ...(PATH && { PATH }),
    ...(SystemRoot && { SystemRoot }),
    ...(TEMP && { TEMP }),
  };
}

/**
 * Returns the wanted loopback port, or any free one if that is taken. Another process may still take the port before
 * it is used.
 */
async function freePort(wanted: number): Promise<number> {
  return openPort(wanted).catch(() => openPort(0));
}

/** Time between two tries to get a port, and their number. */
const PORT_WAIT_MS = 200;
const PORT_WAITS = 150;

/**
 * Waits up to 30 s until the port of a server that has ended is free, and returns the port. The next server needs the
 * same port, because sessions connect to it. A connection of another program may use the port meanwhile.
 */
export async function samePort(port: number): Promise<number> {
  for (let tries = 0; tries < PORT_WAITS; tries += 1) {
    const isFree = await openPort(port).then(
      () => true,
      () => false,
    );
    if (isFree) return port;
    await wait(PORT_WAIT_MS);
  }
  throw new EmbeddedPostgresError(
    `Port ${port} of 127.0.0.1, on which the embedded PostgreSQL ran, is in use. Stop the program that uses it, or start the server again.`,
  );
}

async function openPort(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
