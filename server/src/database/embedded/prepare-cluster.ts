import { randomBytes, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { findBinaries } from './binaries.ts';
import { type Cluster, initialiseCluster } from './cluster.ts';
import { findUnprivilegedUser, giveTo, requirePassage } from './unprivileged-user.ts';

/** The cluster under `dataDir`, made with a random password when it is not there yet; two processes may do it at once. */
export async function prepareCluster(dataDir: string): Promise<Cluster> {
  const root = resolve(dataDir);
  const user = await findUnprivilegedUser();
  // Passable for the unprivileged user; what lies inside is closed to all but its owner.
  await mkdir(root, { recursive: true, mode: 0o711 });
  const binaries = await findBinaries();
  await requirePassage(binaries.folder, user);
  await requirePassage(root, user);

  const cluster = { folder: join(root, 'postgres'), binaries, user };
  await createPasswordOnce(cluster);
  await createClusterOnce(cluster);
  return cluster;
}

/** Readable by its owner only, who is the user that runs PostgreSQL. */
export function passwordFile(cluster: Cluster): string {
  return `${cluster.folder}-password`;
}

/** Written aside and linked into place, so that of two first starts one password wins and none is half written. */
async function createPasswordOnce(cluster: Cluster): Promise<void> {
  const file = passwordFile(cluster);
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, `${randomBytes(24).toString('base64url')}\n`, { mode: 0o600, flag: 'wx' });
  await giveTo(cluster.user, draft);
  await link(draft, file).catch(ignoreExisting);
  await rm(draft);
}

/** Initialised aside and renamed into place: a half-made cluster never bears the name, and of two starts one wins. */
async function createClusterOnce(cluster: Cluster): Promise<void> {
  if (await isCluster(cluster.folder)) return;
  const draft = { ...cluster, folder: `${cluster.folder}.${randomUUID()}` };
  await mkdir(draft.folder, { mode: 0o700 });
  try {
    await giveTo(cluster.user, draft.folder);
    await initialiseCluster(draft, passwordFile(cluster), { sync: true });
    await rename(draft.folder, cluster.folder).catch(ignoreExisting);
  } finally {
    await rm(draft.folder, { recursive: true, force: true });
  }
}

async function isCluster(folder: string): Promise<boolean> {
  return readFile(join(folder, 'PG_VERSION')).then(
    () => true,
    () => false,
  );
}

function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error;
}
