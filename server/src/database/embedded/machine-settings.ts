import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';

/** What the settings depend on, in bytes. */
export interface Machine {
  /** What this process may use: of the machine, or of its container. */
  readonly memory: number;
  /** Free on the disk that holds the data; null where that can't be told. */
  readonly freeDisk: number | null;
}

const MB = 2 ** 20;
const GB = 2 ** 30;
/** Crash recovery reads the log since the last checkpoint: so much is read in well under the time a start is given. */
const MOST_WAL = 4 * GB;
const LEAST_WAL = 256 * MB;
/** The log is deleted late after a burst; a twentieth of the disk is not missed. */
const SHARE_OF_DISK = 1 / 20;

/** The machine or container that this process runs on, and the disk of a folder. */
export async function findMachine(folder: string): Promise<Machine> {
  const disk = await statfs(folder).catch(() => null);
  const constrained = process.constrainedMemory?.() ?? 0;
  // Without a limit it is 0, or more than there is.
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return { memory, freeDisk: disk && disk.bavail * disk.bsize };
}

/**
 * Memory, log and checkpoints of the embedded server: it shares the machine with this process and others, so that it
 * takes an eighth of the memory for its buffers. What makes a commit durable is not touched.
 */
export function settingsFor({ memory, freeDisk }: Machine): Readonly<Record<string, string>> {
  const wal = within(LEAST_WAL, (freeDisk ?? 0) * SHARE_OF_DISK, MOST_WAL);
  return {
    shared_buffers: megabytes(within(32 * MB, memory / 8, GB)),
    effective_cache_size: megabytes(within(128 * MB, memory / 2, 64 * GB)),
    work_mem: megabytes(within(4 * MB, memory / 512, 32 * MB)),
    maintenance_work_mem: megabytes(within(32 * MB, memory / 32, 512 * MB)),
    max_wal_size: megabytes(wal),
    min_wal_size: megabytes(wal / 4),
    // After a checkpoint each page that changes is logged whole once more: three times as seldom as by default.
    checkpoint_timeout: '15min',
  };
}

function within(least: number, wanted: number, most: number): number {
  return Math.min(Math.max(least, wanted), most);
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / MB)}MB`;
}
