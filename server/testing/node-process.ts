import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Process under test: its output, signals and exit. */
export interface NodeProcess {
  readonly pid: number;
  /** Standard output and standard error so far, in the order of their arrival. */
  output(): string;
  /** Waits until the output matches; throws with the output if the process ends or takes too long. */
  waitFor(pattern: RegExp, timeoutMs?: number): Promise<RegExpExecArray>;
  signal(name: NodeJS.Signals): void;
  /** Signals the whole process group, as Ctrl-C in a terminal does. */
  signalGroup(name: NodeJS.Signals): void;
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** Program to run: a shipped file (built before, which npm test does), or a script as text. */
export interface NodeProcessOptions {
  readonly file?: URL;
  readonly script?: string;
  readonly args?: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
}

/** Starts Node in its own process group. */
export function startNode(options: NodeProcessOptions): NodeProcess {
  const entry = options.file
    ? [fileURLToPath(options.file)]
    : ['--input-type=module', '--eval', options.script ?? ''];
  const child = spawn(process.execPath, [...entry, ...(options.args ?? [])], {
    cwd: options.cwd,
    env: options.env ?? process.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the process could not be started');
  const output = collectOutput(child);
  return {
    pid,
    output,
    waitFor: (pattern, timeoutMs = 120_000) => waitForOutput(child, output, pattern, timeoutMs),
    signal: (name) => child.kill(name),
    signalGroup: (name) => process.kill(-pid, name),
    ended: new Promise((resolve) => child.once('close', (code, signal) => resolve({ code, signal }))),
  };
}

function collectOutput(child: ChildProcess): () => string {
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return () => text;
}

async function waitForOutput(
  child: ChildProcess,
  output: () => string,
  pattern: RegExp,
  timeoutMs: number,
): Promise<RegExpExecArray> {
  const deadline = Date.now() + timeoutMs;
  while (Date.now() < deadline) {
    const match = pattern.exec(output());
    if (match) return match;
    if (child.exitCode !== null || child.signalCode !== null) break;
    await wait(20);
  }
  throw new Error(`the process did not print ${pattern}; it printed:\n${output()}`);
}
