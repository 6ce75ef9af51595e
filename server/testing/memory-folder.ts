import { statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const IN_MEMORY = '/dev/shm';
/** Room for the databases and the write-ahead log of a run, several times over. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Where databases of tests lie: in memory where there is plenty of it, as cloning a database there takes a tenth of the time,
 * else among the temporary files. What a killed process has written is there afterwards in either place.
 */
export function memoryFolder(): string {
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= ROOM_BYTES ? IN_MEMORY : tmpdir();
  } catch {
    return tmpdir();
  }
}
