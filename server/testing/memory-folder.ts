import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** Space for the databases and write-ahead log of a run, several times over. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Returns the folder for test databases: in memory if there is enough, because cloning there takes a tenth of the time,
 * otherwise among the temporary files. In both folders, data survives the process that wrote it.
 */
export function memoryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
