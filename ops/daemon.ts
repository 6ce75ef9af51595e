import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** A program that runs beside us, as ourselves or as another user. */
export interface Daemon {
  readonly pid: number;
  signal(signal: NodeJS.Signals): void;
  /** Asks it to end, and ends it where it does not; resolves when it has. */
  stop(patienceMs?: number): Promise<void>;
}

/** Another user whom a program runs as. */
export interface User {
  readonly uid: number;
  readonly gid: number;
}

const PATIENCE_MS = 10_000;

/** Starts a program that writes its log into a file. */
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
    // A Ctrl-C is for us alone: we end them in their order.
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
