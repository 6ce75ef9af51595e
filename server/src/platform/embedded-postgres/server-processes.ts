import { randomUUID } from 'node:crypto';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

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
 * Returns false if the folder is certainly not the working directory of the process: the process has another one,
 * belongs to another user than the folder, or has ended. The working directory of a PostgreSQL server is its data
 * folder, which belongs to the server's user. Returns true if the system provides no such information.
 */
export function runsInFolder(pid: number, folder: string): boolean {
  if (!tellsOfProcesses()) return true;
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder);
  } catch (error) {
    // EACCES means that the process belongs to another user, or hides its working directory from its own user. A
    // process that has ended has no working directory, even while its parent has not collected it and its id still
    // exists.
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

/** Contents of `postmaster.pid`, which a running server writes into its data folder. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** Time after which an empty lock file counts as damaged. A server fills its file right after creating it. */
const FILLED_AFTER_MS = 1_000;

/**
 * Reads which server runs on a data folder; null if none does. The lock file of a killed server is empty, or names a
 * process that has ended.
 */
export function readPostmaster(folder: string): Postmaster | null {
  // Lines: pid, data folder, start time, port, socket folder, address, shared memory, status.
  const lines = readLines(folder);
  const pid = readPid(lines);
  if (pid === null || !isAlive(pid) || !runsInFolder(pid, folder)) return null;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Returns the last port of a server, even of a killed one, so that clients find the next server on the same port. 0
 * means any port.
 */
export function lastPort(folder: string): number {
  return Number(readLines(folder)[3]) || 0;
}

/**
 * Deletes the lock file of a killed server if it would prevent a start: after a reboot its process id may belong to
 * another program, and after a power cut or on a full disk the file may be empty or incomplete. Without the removal,
 * `embedded-faults.nightly.test.ts` fails.
 */
export async function removeStaleServerLock(folder: string): Promise<void> {
  const lines = readLines(folder);
  if (lines.length === 0) return;
  const pid = readPid(lines);
  if (pid === null) {
    await wait(FILLED_AFTER_MS);
    if (readLines(folder)[0] !== lines[0] || isServedBySomeone(folder)) return;
  } else if (!isAlive(pid) || runsInFolder(pid, folder)) {
    return;
  }
  rmSync(fileOf(folder), { force: true });
}

/**
 * Returns true if the folder is the working directory of a PostgreSQL process, although the lock file does not name the
 * process. Returns false if the system provides no process list.
 */
function isServedBySomeone(folder: string): boolean {
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return ids.some((id) => programOf(Number(id)) === 'postgres' && runsInFolder(Number(id), folder));
  } catch {
    return false;
  }
}

/**
 * Returns the process id in the first line; null unless it is positive, because signals to 0 or below would reach
 * whole process groups.
 */
function readPid(lines: readonly string[]): number | null {
  return /^[1-9]\d{0,9}$/.test(lines[0]?.trim() ?? '') ? Number(lines[0]) : null;
}

function fileOf(folder: string): string {
  return join(folder, 'postmaster.pid');
}

function readLines(folder: string): string[] {
  try {
    return readFileSync(fileOf(folder), 'utf8').split('\n');
  } catch {
    return [];
  }
}

/**
 * Tracks the processes that use the embedded server, as files named `<pid>.<uuid>.<state>` in one folder, so that the
 * last one to leave stops it, and only then. Files of dead processes are ignored.
 *
 * Joining writes `using` and then checks for `leaving`; leaving writes `leaving` and then checks for `using`. If two
 * processes do both at once, at least one sees the other, so a server that is about to stop is never joined. Without
 * these files, `server-processes.test.ts` and `embedded-sharing.nightly.test.ts` fail.
 */
export class Presence {
  readonly #folder: string;
  readonly #name = `${process.pid}.${randomUUID()}`;

  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  /** Announces that this process uses the server. */
  announce(): void {
    this.#write('using');
  }

  /** Returns true while another process may be stopping the server. */
  isAnotherLeaving(): boolean {
    return this.#others('leaving');
  }

  /** Ends the use by this process. Returns true if this process must stop the server, and then call `left`. */
  leave(): boolean {
    this.#write('leaving');
    this.#remove('using');
    if (!this.#others('using')) return true;
    this.left();
    return false;
  }

  /** Removes this process's files. Call it after `leave` has returned true and the server was stopped. */
  left(): void {
    this.#remove('leaving');
    this.#remove('using');
  }

  #write(state: string): void {
    writeFileSync(join(this.#folder, `${this.#name}.${state}`), processStamp(process.pid));
  }

  #remove(state: string): void {
    rmSync(join(this.#folder, `${this.#name}.${state}`), { force: true });
  }

  #others(state: string): boolean {
    const files = readdirSync(this.#folder).filter((file) => file.endsWith(`.${state}`));
    return files.some((file) => !file.startsWith(this.#name) && this.#isLiving(file));
  }

  #isLiving(file: string): boolean {
    const pid = Number(file.split('.')[0]);
    try {
      const stamp = readFileSync(join(this.#folder, file), 'utf8');
      // The process that created an empty file is about to fill it.
      if (isAlive(pid) && (stamp === '' || stamp === processStamp(pid))) return true;
    } catch {
      return false;
    }
    rmSync(join(this.#folder, file), { force: true });
    return false;
  }
}
