import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A running program, with the user of this process or another one. */
export interface Daemon {
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Sends SIGTERM, and SIGKILL if the program is still running after `patienceMs`. Resolves when it has ended. */
  stop(patienceMs?: number): Promise<void>;
}

/** Ids of another user, with whose rights a program runs. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

const PATIENCE_MS = 10_000;

/** Starts a program whose output is appended to a log file. */
export function startDaemon(
  program: string,
  args: readonly string[],
  options: { user: User | null; log: string; cwd: string },
): Daemon {
  const log = openSync(options.log, 'a', 0o644);
  const { PATH, LANG } = process.env;
  const child = spawn(program, args, {
    ...(options.user ?? {}),
    cwd: options.cwd,
    env: { PATH, LANG, HOME: options.cwd },
    stdio: ['ignore', log, log],
    // Puts the program into its own process group, so that Ctrl-C reaches only this process, which stops its programs
    // in order.
    detached: true,
  });
  const ended = once(child, 'close').catch(() => undefined);
  const isOver = () => child.exitCode !== null || child.signalCode !== null || child.pid === undefined;
  return {
    pid: child.pid ?? 0,
    signal: (signal) => void child.kill(signal),
    async stop(patienceMs = PATIENCE_MS) {
      if (isOver()) return;
      child.kill('SIGTERM');
      await Promise.race([ended, sleep(patienceMs, undefined, { ref: false })]);
      if (!isOver()) child.kill('SIGKILL');
      await ended;
    },
  };
}
