import { execFile } from 'node:child_process';
import { createReadStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { runCommand, withDatabase, withFolder, withServerOn } from './bench-server.mjs';
import { growTo, settle } from './copy-listings.mjs';
import { duration, whole } from './figures.ts';
import { note } from './progress.mjs';

/** Folder that keeps both directories for the next run. If it is not set, they are removed after the work. */
const KEPT = process.env.SCALE_FOLDER && resolve(process.env.SCALE_FOLDER);

/**
 * Runs the work with two data folders: one that `fill` creates, and a copy grown to `many` listings. Reuses the folders of
 * an earlier run with the same name, after migrating them.
 */
export async function withTwoSizes(name, fill, many, work) {
  const on = async (folder) => {
    const few = join(folder, `${name}-few`);
    const grown = join(folder, `${name}-${many}`);
    await makeOnce(few, fill);
    await makeOnce(grown, (to) => growFrom(few, to, many));
    return work({ few, many: grown });
  };
  if (!KEPT) return withFolder(on);
  await makePassable(KEPT);
  return on(KEPT);
}

/** Runs the work with a server on a folder and a connection to its database. */
export function withDirectory(folder, settings, work) {
  return withServerOn(folder, settings, (server, dataDir) =>
    withDatabase(dataDir, (database) => work(server, database)),
  );
}

/**
 * Makes a folder unless it exists. It is renamed into place when complete, so an interrupted run leaves no partial folder.
 */
async function makeOnce(folder, make) {
  if (existsSync(folder)) return bringUpToDate(folder);
  const draft = `${folder}.draft`;
  await rm(draft, { recursive: true, force: true });
  await makePassable(draft);
  await make(draft);
  await rename(draft, folder);
}

async function bringUpToDate(folder) {
  note(`${folder} is there from before`);
  // A server also migrates at its start, but waits for less time than a large table may need.
  await runCommand(folder, ['migrate']);
  await withDirectory(folder, {}, (_server, database) => settle(database));
  await readAll(folder);
}

/**
 * Reads all files into the page cache, so that a copied directory is as warm as a new one. Skips files that PostgreSQL
 * removes meanwhile, such as `pg_internal.init`.
 */
async function readAll(folder) {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((each) => each.isFile())) {
    try {
      for await (const _ of createReadStream(join(entry.parentPath, entry.name)));
    } catch (error) {
      if (error.code !== 'ENOENT') throw error;
    }
  }
}

async function growFrom(few, to, many) {
  // `cp -a` keeps the owner of the files, which PostgreSQL checks. No server is running on the folder at this point.
  await promisify(execFile)('cp', ['-a', `${few}/.`, to]);
  const startedAt = performance.now();
  const there = await withDirectory(to, {}, (_server, database) => growTo(database, many));
  note(`${whole(there)} listings made in ${duration(performance.now() - startedAt)}`);
}

/** Creates a folder that other users may traverse, because as root the embedded database runs as another user. */
function makePassable(folder) {
  return mkdir(folder, { recursive: true, mode: 0o711 });
}
