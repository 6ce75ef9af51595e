import { readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';

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
 * False when the process surely doesn't work in the folder: it works in another one, is another user's, or has ended. A
 * PostgreSQL server works in its data folder, which is its user's own. Where the system doesn't tell, the answer is true.
 */
export function worksIn(pid: number, folder: string): boolean {
  if (!tellsOfProcesses()) return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch (error) {
    // Only a process of another user is closed to us, unless it hides from its own as well. One that has ended has no
    // folder any more, also while its parent has not taken note of it and its id still counts as alive.
    return (error as NodeJS.ErrnoException).code === 'EACCES' && isOfOneUser(`/proc/${pid}`, folder);
  }
}

function tellsOfProcesses(): boolean {
  try {
    return readlinkSync('/proc/self/cwd') !== '';
  } catch {
    return false;
  }
}

function isOfOneUser(one: string, other: string): boolean {
  try {
    return statSync(one).uid === statSync(other).uid;
  } catch {
    return false;
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
 * Tells a process from a later one with the same id, and from itself once it has ended: its start time on Linux, an
 * empty text elsewhere, where the id alone has to do.
 */
export function processStamp(pid: number): string {
  try {
    // The second field is the program's name in brackets and may hold spaces; the start time is field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    // Z: it has ended, and its parent has not taken note.
    return fields?.[0] === 'Z' ? 'ended' : (fields?.[19] ?? '');
  } catch {
    return '';
  }
}
