import { readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';

/** Returns true while a process with this id exists, even if it belongs to another user. */
export function isAlive(pid: number): boolean {
  // For the system, 0 and negative numbers mean process groups.
  if (!Number.isSafeInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Returns false if the process certainly does not work in the folder: it works in another folder, belongs to another
 * user, or has ended. A PostgreSQL server works in its data folder, which belongs to the server's user. Returns true
 * if the system provides no such information.
 */
export function runsInFolder(pid: number, folder: string): boolean {
  if (!tellsOfProcesses()) return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch (error) {
    // EACCES means that the process belongs to another user, or hides its folder from its own user. A process that has
    // ended has no folder, even while its parent has not collected it and its id still exists.
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

/** Returns the name of a process's program; null if the system does not provide it. */
export function programOf(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return null;
  }
}

/**
 * Returns a stamp that distinguishes a process from a later one with the same id, and from itself after its end. It is
 * the start time on Linux, and empty on other systems.
 */
export function processStamp(pid: number): string {
  try {
    // The second field is the program's name in brackets and may contain spaces; the start time is field 22.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ');
    // Z: a zombie, which has ended but whose parent has not collected it.
    return fields?.[0] === 'Z' ? 'ended' : (fields?.[19] ?? '');
  } catch {
    return '';
  }
}
