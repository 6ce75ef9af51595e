import { randomBytes, randomUUID } from 'node:crypto';
import { access, link, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { findBinaries } from './binaries.ts';
import { type Cluster, initialiseCluster } from './cluster.ts';
import { findUnprivilegedUser, giveTo, requirePassage } from './unprivileged-user.ts';
import { requireWhole } from './whole-cluster.ts';

/** The cluster under `dataDir`, made with a random password when it is not there yet; two processes may do it at once. */
export async function prepareCluster(dataDir: string, onProgram?: () => void): Promise<Cluster> {
  const root = resolve(dataDir);
  const user = await findUnprivilegedUser();
  // Passable for the unprivileged user; what lies inside is closed to all but its owner.
  await mkdir(root, { recursive: true, mode: 0o711 });
  const binaries = await findBinaries();
  await requirePassage(binaries.folder, user);
  await requirePassage(root, user);

  const cluster = { folder: join(root, 'postgres'), binaries, user, onProgram };
  await createPasswordOnce(cluster);
  await createClusterOnce(cluster);
  await requireWhole(cluster);
  await removeOldDrafts(cluster);
  return cluster;
}

/** Readable by its owner only, who is the user that runs PostgreSQL. */
export function passwordFile(cluster: Cluster): string {
  return `${cluster.folder}-password`;
}

/** Written aside and linked into place, so that of two first starts one password wins and none is half written. */
async function createPasswordOnce(cluster: Cluster): Promise<void> {
  const file = passwordFile(cluster);
  if (await isThere(file)) return;
  const draft = `${file}.${randomUUID()}`;
  try {
    // Flushed: the cluster made with it survives a power cut, and is of no use without it.
    const content = `${randomBytes(24).toString('base64url')}\n`;
    await writeFile(draft, content, { mode: 0o600, flag: 'wx', flush: true });
    await giveTo(cluster.user, draft);
    await link(draft, file).catch(ignoreExisting);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Initialised aside and renamed into place: a half-made cluster never has the name, and of two starts one wins. */
async function createClusterOnce(cluster: Cluster): Promise<void> {
  if (await isThere(join(cluster.folder, 'PG_VERSION'))) return;
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

/** A first start that was killed leaves its draft behind; none takes an hour. */
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
