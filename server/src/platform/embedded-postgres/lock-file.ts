import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isAlive, programOf, runsInFolder } from './process-identity.ts';

/** Contents of `postmaster.pid`, which a running server writes into its data folder. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly ready: boolean;
}

/** Time after which an empty lock file counts as damaged. A server fills its file right after creating it. */
const FILLED_AFTER_MS = 1_000;

/**
 * Reads which server runs on a data folder; null if none does. The lock file of a killed server names a process that
 * has ended, or is empty.
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
 * `embedded-faults.long.test.ts` fails.
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
 * Returns true if a PostgreSQL process works in the folder although its lock file does not name the process. Returns
 * false if the system provides no process list.
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
