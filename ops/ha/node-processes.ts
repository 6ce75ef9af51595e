import { readdirSync, readlinkSync } from 'node:fs';

/** Lists the PostgreSQL processes of a data folder. Recognizes them by their working directory, which is the data folder. */
export function postgresProcesses(dataFolder: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && workingFolder(name) === dataFolder)
    .map(Number);
}

function workingFolder(pid: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    // The process has ended meanwhile, or belongs to another user.
    return null;
  }
}

/** Sends a signal to all these processes, except those that have ended meanwhile. */
export function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
