import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { isAlive, programOf, worksIn } from './process-identity.ts';

/** What a running server writes about itself into its data folder. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  /** The folder of its Unix socket, from its data folder; empty where it has none. */
  readonly socketFolder: string;
  readonly ready: boolean;
}

/** A server makes its file and fills it in the same moment. */
const FILLED_AFTER_MS = 1_000;

/** The living server of a data folder, or null: a file left by a killed one names a process that is gone, or nothing. */
export function readPostmaster(folder: string): Postmaster | null {
  // Lines: pid, data folder, start time, port, socket folder, address, shared memory, status.
  const lines = readLines(folder);
  const pid = readPid(lines);
  if (pid === null || !isAlive(pid) || !worksIn(pid, folder)) return null;
  return {
    pid,
    port: Number(lines[3]),
    socketFolder: lines[4]?.trim() ?? '',
    ready: lines[7]?.trim() === 'ready',
  };
}

/** The port that a server had, also a killed one: anyone who is connected to it finds the next one there. 0: any. */
export function lastPort(folder: string): number {
  return Number(readLines(folder)[3]) || 0;
}

/**
 * Takes away a file of a killed server over which PostgreSQL would never start again: after a restart of the machine or
 * container another program may have the id in it; and a power cut or a full disk leaves it empty or half written.
 */
export async function forgetKilledServer(folder: string): Promise<void> {
  const lines = readLines(folder);
  if (lines.length === 0) return;
  const pid = readPid(lines);
  if (pid === null) {
    await wait(FILLED_AFTER_MS);
    if (readLines(folder)[0] !== lines[0] || isServedBySomeone(folder)) return;
  } else if (!isAlive(pid) || worksIn(pid, folder)) {
    return;
  }
  rmSync(fileOf(folder), { force: true });
}

/** The same for the lock beside its socket, over which PostgreSQL would not start on that port. */
export async function forgetKilledSocket(folder: string): Promise<void> {
  for (const name of readdirSync(folder).filter((each) => SOCKET_LOCK.test(each))) {
    const pid = readPid(linesOf(join(folder, name)));
    if (pid === null) await wait(FILLED_AFTER_MS);
    const isInUse = pid === null ? isServedBySomeone(folder) : isAlive(pid) && worksIn(pid, folder);
    if (!isInUse) rmSync(join(folder, name), { force: true });
  }
}

const SOCKET_LOCK = /^\.s\.PGSQL\.\d+\.lock$/;

/** True where a PostgreSQL works in the folder that its own file does not name; false where the system doesn't tell. */
function isServedBySomeone(folder: string): boolean {
  try {
    const ids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
    return ids.some((id) => programOf(Number(id)) === 'postgres' && worksIn(Number(id), folder));
  } catch {
    return false;
  }
}

/** Null for what is no process id: signals to 0 or below would reach whole groups of processes. */
function readPid(lines: readonly string[]): number | null {
  return /^[1-9]\d{0,9}$/.test(lines[0]?.trim() ?? '') ? Number(lines[0]) : null;
}

function fileOf(folder: string): string {
  return join(folder, 'postmaster.pid');
}

function readLines(folder: string): string[] {
  return linesOf(fileOf(folder));
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch {
    return [];
  }
}
