import { execFile } from 'node:child_process';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { IS_NIGHTLY } from '../../server/testing/nightly.ts';

const run = promisify(execFile);
const sdk = fileURLToPath(new URL('..', import.meta.url));

/** Folder `node_modules` of the workspace. */
export const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/**
 * Packs the SDK as for publishing, and installs it into a folder without access to a registry. A nightly run builds the
 * SDK anew for this; other runs pack the existing build of the workspace. Returns the path of the tarball.
 */
export async function installSdk(folder: string): Promise<string> {
  const tarballs = await Promise.all([
    packSdk(folder),
    archive('openapi-fetch', folder),
    archive('openapi-typescript-helpers', folder),
  ]);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...quiet, ...tarballs], { cwd: folder });
  return tarballs[0];
}

/** Installs the optional peers by linking the workspace's packages. */
export async function linkPeers(folder: string, ...names: string[]): Promise<void> {
  for (const name of names) {
    const place = join(folder, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(MODULES, name), place, 'dir');
  }
}

async function packSdk(folder: string): Promise<string> {
  if (!IS_NIGHTLY) return pack(sdk, folder);
  const from = join(folder, 'package');
  await run(join(MODULES, '.bin', 'tsdown'), ['--out-dir', join(from, 'dist'), '--no-clean'], { cwd: sdk });
  for (const name of ['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE'])
    await cp(join(sdk, name), join(from, name));
  return pack(from, folder);
}

/** Packs an installed package into a tarball like `npm pack`, but ten times faster. Returns the path of the tarball. */
export async function archive(name: string, folder: string): Promise<string> {
  const file = join(folder, `${name}.tgz`);
  await run('tar', ['-czf', file, '--transform=s,^\\.,package,', '-C', join(MODULES, name), '.']);
  return file;
}

async function pack(from: string, folder: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', from, '--ignore-scripts', '--json'], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}
