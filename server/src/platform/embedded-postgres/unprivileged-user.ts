import { execFile } from 'node:child_process';
import { chown, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, USE_YOUR_OWN } from './advice.ts';

const run = promisify(execFile);
const ACCOUNT = 'postgres';

/** System account that runs PostgreSQL when this process runs as root. */
export interface UnprivilegedUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Finds the account `postgres` if this process runs as root, as which PostgreSQL refuses to run. Otherwise returns
 * null, which means the current user.
 */
export async function findUnprivilegedUser(): Promise<UnprivilegedUser | null> {
  if (process.getuid?.() !== 0) return null;
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', ACCOUNT]), run('id', ['-g', ACCOUNT])]);
    return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
  } catch {
    throw new EmbeddedPostgresError(
      `PostgreSQL refuses to run as root and this system has no user "${ACCOUNT}": create it with ` +
        `"useradd --system ${ACCOUNT}", start as an ordinary user, ${USE_YOUR_OWN}.`,
    );
  }
}

/** Throws an error that names the first folder on the way to `path` which the user may not enter. */
export async function requirePassage(path: string, user: UnprivilegedUser | null): Promise<void> {
  if (!user) return;
  const closed = await firstClosedFolder(path, user);
  if (closed === null) return;
  throw new EmbeddedPostgresError(
    `As root, the embedded PostgreSQL runs as user "${ACCOUNT}", who may not pass through ${closed} to reach ${path}: ` +
      `run "chmod o+x ${closed}", move DATA_DIR or the installation elsewhere, ${USE_YOUR_OWN}.`,
  );
}

async function firstClosedFolder(path: string, user: UnprivilegedUser): Promise<string | null> {
  const folder = resolve(path);
  const parent = dirname(folder);
  const above = parent === folder ? null : await firstClosedFolder(parent, user);
  if (above !== null) return above;
  const { mode, uid, gid } = await stat(folder);
  const passable = uid === user.uid ? mode & 0o100 : gid === user.gid ? mode & 0o010 : mode & 0o001;
  return passable ? null : folder;
}

/** Changes the owner of a file or folder to the user that runs PostgreSQL. Does nothing if `user` is null. */
export async function changeOwner(user: UnprivilegedUser | null, path: string): Promise<void> {
  if (user) await chown(path, user.uid, user.gid);
}
