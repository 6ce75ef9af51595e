import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Called, Order } from './stand-in-server.ts';

/** A server of its own process under a test's control. */
export interface ServerProcess {
  readonly baseUrl: string;
  readonly pid: number;
  /** Everything it has written so far. */
  readonly output: () => { stdout: string; stderr: string };
  /** Resolves with what the pattern finds on stdout, once it is there. */
  printed(pattern: RegExp): Promise<string>;
  behave(order: Order): void;
  /** Resolves with the run id of the next call of the backend. */
  nextCall(): Promise<string | null>;
  /** Sends a signal and resolves with how the process ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** The entries run as they are shipped, so they must be built before (`tsc --build server`, which npm test does). */
const ENTRIES = {
  'stand-in': fileURLToPath(new URL('../../dist/testing/stand-in-server.js', import.meta.url)),
  real: fileURLToPath(new URL('../../dist/main.js', import.meta.url)),
};

/** A port of the loopback interface that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

const READY_TIMEOUT_MS = 60_000;
const PRINT_TIMEOUT_MS = 10_000;

async function untilReady(
  child: ChildProcess,
  baseUrl: string,
  output: () => { stderr: string },
): Promise<void> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}: ${output().stderr}`);
    }
    const ready = await fetch(`${baseUrl}/readyz`).catch(() => null);
    if (ready?.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the server was not ready in time: ${output().stderr}`);
}

/** Starts a server process and waits until it is ready. Every process that a test starts it also ends. */
export async function startServer(
  env: Record<string, string>,
  options: { entry?: keyof typeof ENTRIES; cwd?: string; args?: string[]; stopAfterMs?: number } = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const baseUrl = `http://127.0.0.1:${port}`;
  const { PATH, HOME } = process.env;
  const child = fork(ENTRIES[options.entry ?? 'stand-in'], options.args ?? [], {
    env: { PATH, HOME, PORT: String(port), TIMINGS_SCALE: '0.05', ...env },
    ...(options.cwd && { cwd: options.cwd }),
    execArgv: [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data) => (stdout += data));
  child.stderr?.on('data', (data) => (stderr += data));
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const output = () => ({ stdout, stderr });
  if (options.stopAfterMs) setTimeout(() => child.kill('SIGTERM'), options.stopAfterMs);
  await untilReady(child, baseUrl, output);
  return {
    baseUrl,
    pid: child.pid ?? 0,
    output,
    async printed(pattern) {
      const deadline = Date.now() + PRINT_TIMEOUT_MS;
      while (Date.now() < deadline) {
        const found = pattern.exec(stdout)?.[0];
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`the server did not print ${pattern}: ${stdout}`);
    },
    behave: (order) => child.send(order),
    async nextCall() {
      const [message] = (await once(child, 'message')) as [Called];
      return message.calledFor;
    },
    async end(signal) {
      child.kill(signal);
      const [code, by] = await ended;
      return { code, signal: by };
    },
  };
}
