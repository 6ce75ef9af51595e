import { randomBytes, randomUUID } from 'node:crypto';
import { access, link, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { withSession } from '../database/with-session.ts';
import { EmbeddedPostgresError, USE_YOUR_OWN } from './advice.ts';
import { type Cluster, initialiseCluster } from './cluster.ts';
import { changeOwner, findBinaries, findUnprivilegedUser, requirePassage } from './postgres-programs.ts';

/** File without which PostgreSQL does not start. */
const CONTROL_FILE = 'global/pg_control';

const MOVE_IT = 'move the folder away to begin with an empty database';

/**
 * Throws an error with advice if a data folder is damaged, incomplete or from another version. PostgreSQL's own error
 * would not explain the cause.
 */
async function requireCompleteCluster({ folder, binaries }: Cluster): Promise<void> {
  const refuse = (problem: string) => new EmbeddedPostgresError(`${problem}, ${USE_YOUR_OWN}.`);
  const version = await readText(join(folder, 'PG_VERSION'));
  const control = await readText(join(folder, CONTROL_FILE));
  if (control === null) {
    const missing = version === null ? `PG_VERSION and ${CONTROL_FILE}` : CONTROL_FILE;
    throw refuse(
      `${folder} is not a complete PostgreSQL data folder (${missing} is missing): restore it from a backup, or ${MOVE_IT}`,
    );
  }
  if (version === null || !/^\d+(?:\.\d+)?$/.test(version.trim())) {
    throw refuse(
      `The file PG_VERSION in ${folder} is ${version === null ? 'missing' : 'damaged'}: if this program created the folder, ` +
        `write ${binaries.major} into it; otherwise restore it from a backup, or ${MOVE_IT}`,
    );
  }
  if (version.trim() === binaries.major) return;
  throw refuse(
    `The data in ${folder} was initialized by PostgreSQL version ${version.trim()}, and the embedded one is version ` +
      `${binaries.major}: export it with that version (pg_dump) and import it into your own database; or ${MOVE_IT}`,
  );
}

async function readText(file: string): Promise<string | null> {
  return readFile(file, 'latin1').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
}

/**
 * Prepares the cluster under `dataDir`. Creates it with a random password if there is none. Two processes may call it
 * at the same time.
 */
export async function prepareCluster(dataDir: string, onProgram?: () => void): Promise<Cluster> {
  const root = resolve(dataDir);
  const user = await findUnprivilegedUser();
  // The unprivileged user may pass through the folder, but only its owner can list it.
  await makeFolder(root, 0o711);
  const binaries = await findBinaries();
  await requirePassage(binaries.folder, user);
  await requirePassage(root, user);

  const cluster = { folder: join(root, 'postgres'), binaries, user, onProgram };
  await createPasswordOnce(cluster);
  await createClusterOnce(cluster);
  await requireCompleteCluster(cluster);
  await removeOldDrafts(cluster);
  return cluster;
}

/**
 * Creates a folder and its parents. Rejects if the system refuses to create a folder although its parent exists, as
 * under /proc. There, Node's `mkdir` with `recursive` never ends.
 */
async function makeFolder(path: string, mode: number): Promise<void> {
  const make = () =>
    mkdir(path, { mode }).catch(async (error: unknown) => {
      const found = await stat(path).catch(() => null);
      if (!found?.isDirectory()) throw error;
    });
  await make().catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path), mode);
    await make();
  });
}

/** Returns the path of the password file, readable only by the user that runs PostgreSQL. */
export function passwordFile(cluster: Cluster): string {
  return `${cluster.folder}-password`;
}

/**
 * Writes the password to a draft file and links it to its final name. Of two concurrent starts one wins, and the file
 * is never incomplete.
 */
async function createPasswordOnce(cluster: Cluster): Promise<void> {
  const file = passwordFile(cluster);
  if (await isThere(file)) return;
  const draft = `${file}.${randomUUID()}`;
  try {
    // The file is flushed, because the cluster survives a power cut and is unusable without its password.
    const content = `${randomBytes(24).toString('base64url')}\n`;
    await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true });
    await changeOwner(cluster.user, draft);
    await link(draft, file).catch(ignoreExisting);
  } finally {
    await rm(draft, { force: true });
  }
}

/**
 * Initializes the cluster in a draft folder and renames it. An incomplete cluster never has the final name, and of two
 * concurrent starts one wins.
 */
async function createClusterOnce(cluster: Cluster): Promise<void> {
  if (await isThere(join(cluster.folder, 'PG_VERSION'))) return;
  const draft = { ...cluster, folder: `${cluster.folder}.${randomUUID()}` };
  await mkdir(draft.folder, { mode: 0o700 });
  try {
    await changeOwner(cluster.user, draft.folder);
    await initialiseCluster(draft, passwordFile(cluster), { sync: true });
    await rename(draft.folder, cluster.folder).catch(ignoreExisting);
  } finally {
    await rm(draft.folder, { recursive: true, force: true });
  }
}

/**
 * Age after which a draft file or folder must come from a killed start, because creating a cluster never takes that
 * long.
 */
const DRAFT_IS_OLD_MS = 3_600_000;

async function removeOldDrafts({ folder }: Cluster): Promise<void> {
  const root = dirname(folder);
  const drafts = (await readdir(root)).filter((name) => DRAFT.test(name));
  for (const draft of drafts.map((name) => join(root, name))) {
    const { mtimeMs } = await stat(draft).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
    if (Date.now() - mtimeMs > DRAFT_IS_OLD_MS) await rm(draft, { recursive: true, force: true });
  }
}
const DRAFT = /^postgres(?:-password)?\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error;
}

/** Creates the database that a URL names, if it does not exist. Concurrent calls are allowed. */
export async function createDatabaseOnce(url: string): Promise<void> {
  const maintenance = new URL(url);
  const name = maintenance.pathname.slice(1);
  maintenance.pathname = '/postgres';
  await withSession(maintenance.href, {}, async (session) => {
    const { rowCount } = await session.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await session.query(`CREATE DATABASE ${session.escapeIdentifier(name)}`);
  }).catch((error: { code?: string }) => {
    // 42P04 (duplicate database) or 23505 (concurrent creation): the database exists.
    if (!['42P04', '23505'].includes(error.code ?? '')) throw error;
  });
}
