import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rename } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { platform } from 'node:os';
import { dirname, join } from 'node:path';
import { adviceOn } from './advice.ts';
import type { PostgresBinaries } from './binaries.ts';
import { EmbeddedPostgresError } from './embedded-error.ts';
import { forgetKilledServer, forgetKilledSocket, lastPort, readPostmaster } from './lock-file.ts';
import type { UnprivilegedUser } from './unprivileged-user.ts';

/** One PostgreSQL data folder, the programs that work on it, and the user that they run as. */
export interface Cluster {
  readonly folder: string;
  readonly binaries: PostgresBinaries;
  readonly user: UnprivilegedUser | null;
  /** Told each time that one of the programs is on its way. */
  readonly onProgram?: (() => void) | undefined;
}

/** The database role that owns the cluster and that the application connects as. */
export const ROLE = 'trust_directory';

/**
 * The embedded server's settings, on any machine. Loopback TCP only; only LOG, FATAL and PANIC lines, which hold no
 * statement, so that neither data nor hashes reach its log.
 */
export const SERVER_SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  fsync: 'on',
  synchronous_commit: 'on',
  log_min_messages: 'log',
  log_checkpoints: 'off',
  log_lock_waits: 'on',
  // Below the sessions' lock_timeout of 1 s, so that a deadlock is told as one.
  deadlock_timeout: '500ms',
};

/**
 * Besides: a socket within the data folder, which only the server's user and root may enter. TCP stays for anyone who was
 * told host and port.
 */
export const SOCKET_SETTINGS: Readonly<Record<string, string>> =
  platform() === 'win32' ? {} : { unix_socket_directories: '.' };

/** Crash recovery after a kill can replay much before the server is ready. */
const START_TIMEOUT_SECONDS = 120;
const STOP_TIMEOUT_SECONDS = 60;
const PORT_TRIES = 5;
/** Of what a program printed: the last ones say why it failed. */
const LINES_TOLD = 5;

/**
 * Makes an empty cluster: UTF-8 in code-point order whatever the system's locales, checksums, SCRAM passwords. The
 * password travels in a file, never on a command line.
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
 * Starts the server and waits until it takes connections. `pg_ctl` puts it in a session of its own, so that Ctrl-C in
 * our terminal reaches us only and we end it after our own last statement. A port that another process gets first costs
 * a try: PostgreSQL itself refuses to start on it.
 */
export async function startCluster(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
  choosePort: (lastPort: number) => Promise<number> = freePort,
): Promise<void> {
  const port = lastPort(cluster.folder);
  await forgetKilledServer(cluster.folder);
  await forgetKilledSocket(cluster.folder);
  for (let triesLeft = PORT_TRIES - 1; ; triesLeft -= 1) {
    const failure = await startOnPort(cluster, settings, await choosePort(port));
    if (failure === null) return;
    if (triesLeft === 0 || !failure.message.includes('Address already in use')) throw failure;
  }
}

/** Null where the server runs; else why it does not, with the last lines of its log. */
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

/** Ends the server: running statements are cancelled, committed work is on disk. No error when it has ended already. */
export async function stopCluster(cluster: Cluster, mode: 'fast' | 'immediate' = 'fast'): Promise<void> {
  try {
    await runProgram(cluster, cluster.binaries.pgCtl, [
      ...['stop', '-w', '-t', String(STOP_TIMEOUT_SECONDS), '-m', mode, '-D', cluster.folder],
    ]);
  } catch (error) {
    if (readPostmaster(cluster.folder)) throw error;
  }
}

/** Asks the server to stop without waiting for it: all that a process at its very end can do. */
export function interruptCluster(cluster: Cluster): void {
  const running = readPostmaster(cluster.folder);
  if (running) process.kill(running.pid, 'SIGINT');
}

async function runProgram(cluster: Cluster, program: string, parameters: readonly string[]): Promise<void> {
  const child = spawn(program, parameters, {
    ...(cluster.user ?? {}),
    cwd: dirname(cluster.folder),
    // In a process group of its own: Ctrl-C must not cut a start or a stop in half.
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

/** A failure of PostgreSQL in its own words, after what to do about it where that is known. */
function explained(failure: string): EmbeddedPostgresError {
  const advice = failure.startsWith(ADVICE_FIRST) ? null : adviceOn(failure);
  return new EmbeddedPostgresError(advice === null ? failure : `${ADVICE_FIRST}${advice}.\n${failure}`);
}
const ADVICE_FIRST = 'The embedded PostgreSQL cannot start. ';

/** Nothing of our environment reaches the server: it may hold secrets, and PG* variables would redirect it. */
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

/** The wanted loopback port, or any other when that is taken; it is free now, and may not be a moment later. */
async function freePort(wanted: number): Promise<number> {
  return openPort(wanted).catch(() => openPort(0));
}

async function openPort(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
