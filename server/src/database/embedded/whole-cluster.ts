import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cluster } from './cluster.ts';
import { EmbeddedPostgresError, USE_YOUR_OWN } from './embedded-error.ts';

/** No PostgreSQL starts without it. */
const CONTROL_FILE = 'global/pg_control';
const MOVE_IT = 'move the folder away, to begin with an empty database';

/** Throws where a data folder is damaged, half made or another PostgreSQL's, with what to do: the server would not say. */
export async function requireWhole({ folder, binaries }: Cluster): Promise<void> {
  const refuse = (problem: string) => new EmbeddedPostgresError(`${problem}, ${USE_YOUR_OWN}.`);
  const version = await readText(join(folder, 'PG_VERSION'));
  const control = await readText(join(folder, CONTROL_FILE));
  if (control === null) {
    const missing = version === null ? `PG_VERSION and ${CONTROL_FILE}` : CONTROL_FILE;
    throw refuse(
      `${folder} is no whole PostgreSQL data folder (${missing} is missing): put it back from a copy, or ${MOVE_IT}`,
    );
  }
  if (version === null || !/^\d+(?:\.\d+)?$/.test(version.trim())) {
    throw refuse(
      `The file PG_VERSION in ${folder} is ${version === null ? 'missing' : 'damaged'}: where this program made the folder, ` +
        `write ${binaries.major} into it; else put it back from a copy, or ${MOVE_IT}`,
    );
  }
  if (version.trim() === binaries.major) return;
  throw refuse(
    `The data in ${folder} was initialized by PostgreSQL version ${version.trim()}, and the embedded one is version ` +
      `${binaries.major}: read it out with that version (pg_dump) and into a database of your own; or ${MOVE_IT}`,
  );
}

async function readText(file: string): Promise<string | null> {
  return readFile(file, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}
