import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { postgresProcesses } from '../../ops/ha/node-processes.ts';
import { mustHold } from '../experiment.ts';
import type { Strike } from './strike.ts';

/** Path of strace as Debian installs it. */
export const STRACE = '/usr/bin/strace';
const DELAY_MS = 500;
/** System calls to delay. PostgreSQL makes one of these calls for each commit, or group of commits, that waits for the disk. */
const CALLS = 'fsync,fdatasync';

/** Delays every fsync of PostgreSQL by half a second, in every process that it has or starts. */
export function slowFsync(dataFolder: string): Strike {
  const seen = join(dataFolder, '..', 'slow-fsync.txt');
  let tracer: ChildProcess;
  return {
    name: `fsync takes ${DELAY_MS} ms`,
    lastsMs: 10_000,
    begin() {
      const how = [
        '-f',
        '-o',
        seen,
        '-e',
        `trace=${CALLS}`,
        '-e',
        `inject=${CALLS}:delay_exit=${DELAY_MS}ms`,
      ];
      const processes = postgresProcesses(dataFolder).flatMap((pid) => ['-p', `${pid}`]);
      tracer = spawn(STRACE, [...how, ...processes], { stdio: 'ignore' });
    },
    async end() {
      const ended = once(tracer, 'exit');
      tracer.kill('SIGINT');
      await ended;
      const delayed = (await readFile(seen, 'utf8')).match(/\(DELAYED\)/g)?.length ?? 0;
      mustHold(delayed > 0, 'no fsync was delayed: nothing was proved');
    },
  };
}
