import { readFileSync, readlinkSync, realpathSync } from 'node:fs';

/** True while a process with this id lives, no matter who owns it. */
export function isAlive(pid: number): boolean {
  // To the system 0 and below mean whole groups of processes.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * False when the process surely works in another folder; a PostgreSQL server works in its data folder. Where the system
 * doesn't tell, the answer is true.
 */
export function worksIn(pid: number, folder: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch {
    return true;
  }
}

/** The name of a process's program; null where the system doesn't tell. */
export function programOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return null;
  }
}

/**
 * Tells a process from a later one with the same id: its start time on Linux, an empty text elsewhere, where the id
 * alone has to do.
 */
export function processStamp(pid: number): string {
  try {
    // The second field is the program's name in brackets and may hold spaces; the start time is field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    return fields?.[19] ?? '';
  } catch {
    return '';
  }
}
