import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** Program that runs in a pseudo-terminal. */
interface TerminalSession {
  /** Output of both streams so far, with `\n` line ends. */
  output(): string;
  /** Waits until the output matches; fails with the output if the program ends or takes too long. */
  shows(pattern: RegExp, timeoutMs?: number): Promise<void>;
  /** Types text; `\u0003` is Ctrl-C. */
  type(text: string): void;
  /** Exit code of the program. */
  readonly ended: Promise<number | null>;
}

/** Start options of a program. */
interface TerminalOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly columns?: number;
  /** Shell text after the program that redirects its output, such as `2>/dev/null | cat`. */
  readonly pipe?: string;
}

/** Character that a terminal sends for Ctrl-C. */
export const INTERRUPT = '\u0003';

/** Runs a Node program in a pseudo-terminal of util-linux's `script`; kills it when the test ends. */
export function inTerminal(file: string, args: readonly string[], options: TerminalOptions): TerminalSession {
  const { env, columns = 80, pipe } = options;
  const program = [process.execPath, file, ...args].map(quoted).join(' ');
  const line = `stty cols ${columns} rows 40; ${pipe ? `${program} ${pipe}` : `exec ${program}`}`;
  const { PATH = '', HOME = '' } = process.env;
  const child = spawn('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
    env: { PATH, HOME, TERM: 'xterm', SHELL: '/bin/sh', ...env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8');
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const output = () => text.replaceAll('\r\n', '\n');
  return {
    output,
    type: (typed) => child.stdin.write(typed),
    ended: new Promise((resolve, reject) => {
      child.once('error', reject);
      child.once('close', resolve);
    }),
    async shows(pattern, timeoutMs = 20_000) {
      const end = Date.now() + timeoutMs;
      while (!pattern.test(output())) {
        const isOver = child.exitCode !== null || Date.now() > end;
        if (isOver) throw new Error(`the terminal never showed ${pattern}; it showed:\n${output()}`);
        await wait(20);
      }
    },
  };
}

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
