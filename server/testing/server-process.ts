import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Called, Order } from './stand-ins/stand-in-server.ts';

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

/** The real server runs as it is shipped, so it must be built before (`npm run build:server`, which npm test does). */
const ENTRIES = {
  'stand-in': fileURLToPath(new URL('./stand-ins/stand-in-server.ts', import.meta.url)),
  real: fileURLToPath(new URL('../dist/server/main.js', import.meta.url)),
};

/** Lets a process of Node run TypeScript as it stands, in whatever folder it is started. */
const TSX_TSCONFIG_PATH = fileURLToPath(new URL('../../tsconfig.test.json', import.meta.url));
const RUN_TYPESCRIPT = ['--import', pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href];

/** What the welcome says once the server listens: the address is the process's own word, so no other can answer for it. */
const READY = /^Trust Directory is ready at (\S+)$/m;
/** Only for a process that hangs; a first start makes a database and scores the sample. */
const TIMEOUT_MS = 120_000;

/** Resolves with the match once the child's output has it; rejects when the child ends before, or never prints it. */
function untilPrinted(
  child: ChildProcess,
  output: () => { stdout: string; stderr: string },
  pattern: RegExp,
): Promise<RegExpExecArray> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const match = pattern.exec(output().stdout);
      if (match) settle(() => resolve(match));
    };
    const fail = (why: string) => settle(() => reject(new Error(`${why}: ${output().stderr}`)));
    const onClose = (code: number | null, signal: NodeJS.Signals | null) =>
      fail(`the server ended with ${code ?? signal}`);
    const timer = setTimeout(() => fail(`the server did not print ${pattern} in time`), TIMEOUT_MS);
    const settle = (end: () => void) => {
      clearTimeout(timer);
      child.stdout?.off('data', look);
      child.off('close', onClose);
      end();
    };
    child.stdout?.on('data', look);
    child.on('close', onClose);
    look();
  });
}

/**
 * Starts a server process on any free port and waits until it is ready; `entry` is one of ours or the path of a program. Every
 * process that a test starts it also ends.
 */
export async function startServer(
  env: Record<string, string>,
  options: {
    entry?: keyof typeof ENTRIES | `/${string}`;
    cwd?: string;
    args?: string[];
    stopAfterMs?: number;
  } = {},
): Promise<ServerProcess> {
  const { PATH, HOME } = process.env;
  const { entry: asked = 'stand-in' } = options;
  const entry = asked in ENTRIES ? ENTRIES[asked as keyof typeof ENTRIES] : asked;
  const child = fork(entry, options.args ?? [], {
    env: { PATH, HOME, TSX_TSCONFIG_PATH, PORT: '0', TIMINGS_SCALE: '0.05', ...env },
    ...(options.cwd && { cwd: options.cwd }),
    execArgv: entry.endsWith('.ts') ? RUN_TYPESCRIPT : [],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data) => (stdout += data));
  child.stderr?.on('data', (data) => (stderr += data));
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  const output = () => ({ stdout, stderr });
  if (options.stopAfterMs) setTimeout(() => child.kill('SIGTERM'), options.stopAfterMs);
  const [, baseUrl = ''] = await untilPrinted(child, output, READY);
  return {
    baseUrl,
    pid: child.pid ?? 0,
    output,
    printed: async (pattern) => (await untilPrinted(child, output, pattern))[0],
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

/** The level of log lines that warn of nothing. */
export const INFO = 30;

/** The log of a server, without what it tells a person. */
export function logOf(from: ServerProcess): { level: number; msg: string }[] {
  const lines = from.output().stderr.split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}
