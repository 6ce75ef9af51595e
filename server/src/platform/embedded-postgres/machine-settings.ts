import { statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';

/** Memory and disk on which settings depend, in bytes. */
export interface Machine {
  /** Memory available to this process, limited by its container. */
  readonly memory: number;
  /** Free space on the data disk; null if unknown. */
  readonly freeDisk: number | null;
}

const MB = 2 ** 20;
const GB = 2 ** 30;
/** Maximum size of the write-ahead log, so that crash recovery reads it well within the start timeout. */
const MOST_WAL = 4 * GB;
const LEAST_WAL = 256 * MB;
/** Share of the free disk that the log may take. After a burst of writes, old log files are removed late. */
const SHARE_OF_DISK = 1 / 20;

/** Measures the machine or container of this process, and the disk of a folder. */
export async function findMachine(folder: string): Promise<Machine> {
  const disk = await statfs(folder).catch(() => null);
  const constrained = process.constrainedMemory?.() ?? 0;
  // constrainedMemory is 0, or more than the total memory, if there is no limit.
  const memory = constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
  return { memory, freeDisk: disk && disk.bavail * disk.bsize };
}

/**
 * Chooses memory, log and checkpoint settings of the embedded server. It shares the machine, so it uses an eighth of
 * the memory for buffers. Durability settings stay unchanged. Without these settings, `machine-settings.test.ts` fails.
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
    // After a checkpoint, the first change of a page logs the whole page. Checkpoints therefore run a third as often
    // as by default.
    checkpoint_timeout: '15min',
  };
}

function within(least: number, wanted: number, most: number): number {
  return Math.min(Math.max(least, wanted), most);
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / MB)}MB`;
}
