import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server process controlled by a test. */
export interface ServerProcess {
  readonly baseUrl: string;
  readonly pid: number;
  /** Returns the output so far. */
  readonly output: () => { stdout: string; stderr: string };
  /** Resolves with the match of the pattern on stdout. */
  printed(pattern: RegExp): Promise<string>;
  /** Sends a signal and resolves with the exit of the process. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** The built server, so build it first (`npm run build:server`; npm test does). */
const BUILT = fileURLToPath(new URL('../dist/server/main.js', import.meta.url));

/** Line printed once the server listens, with its actual address. */
const READY = /^Trust Directory is ready at (\S+)$/m;
/** Time limit for a process that hangs; a first start creates a database and scores the sample. */
const TIMEOUT_MS = 120_000;

/** Resolves with the match in the child's output; rejects if the child ends first or never prints it. */
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
 * Starts a server process on a free port and waits until it is ready: the built one (`real`), or the program
 * at a path. Tests must end every process that they start.
 */
export async function startServer(
  env: Record<string, string>,
  options: {
    entry?: 'real' | `/${string}`;
    cwd?: string;
    args?: string[];
    stopAfterMs?: number;
  } = {},
): Promise<ServerProcess> {
  const { PATH, HOME } = process.env;
  const { entry = 'real', args = [] } = options;
  const child = spawn(process.execPath, [entry === 'real' ? BUILT : entry, ...args], {
    env: { PATH, HOME, PORT: '0', TIMINGS_SCALE: '0.05', ...env },
    ...(options.cwd && { cwd: options.cwd }),
    stdio: ['ignore', 'pipe', 'pipe'],
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
    async end(signal) {
      child.kill(signal);
      const [code, by] = await ended;
      return { code, signal: by };
    },
  };
}

/** Level of informational log lines. */
export const INFO = 30;

/** Returns the log lines of a server, without its output for people. */
export function logOf(from: ServerProcess): { level: number; msg: string }[] {
  const lines = from.output().stderr.split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line));
}
