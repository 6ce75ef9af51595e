import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { MODULES } from './packed-package.ts';

const run = promisify(execFile);
const SDK = fileURLToPath(new URL('..', import.meta.url));

/** Creates a small SDK with the packing program. */
async function workspace() {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-pack-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const description = {
    name: '@trust-directory/sdk',
    version: '0.1.0',
    bin: { 'trust-directory': 'dist/cli.mjs' },
    files: ['dist/*.mjs', 'dist/schemas', 'CHANGELOG.md'],
  };
  await mkdir(join(folder, 'dist', 'schemas'), { recursive: true });
  await mkdir(join(folder, 'generate'));
  await cp(join(SDK, 'generate/pack-sdk.mjs'), join(folder, 'generate/pack-sdk.mjs'));
  await mkdir(join(folder, 'node_modules'));
  await cp(join(MODULES, 'fflate'), join(folder, 'node_modules/fflate'), { recursive: true });
  const files = {
    'package.json': JSON.stringify(description, null, 2),
    'README.md': '# SDK',
    LICENSE: 'MIT',
    'CHANGELOG.md': '## 0.1.0',
    'releases.json': '{}',
    'dist/cli.mjs': '#!/usr/bin/env node',
    'dist/index.mjs': 'export {}',
    'dist/notes.txt': 'not packed',
    'dist/schemas/schema.json': '{}',
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const pack = async (...more: string[]) => {
    const into = join(folder, 'packed');
    await run(process.execPath, [join(folder, 'generate/pack-sdk.mjs'), '--into', into, ...more]);
    const [name = '', ...others] = await readdir(into);
    expect(others).toEqual([]);
    return { name, path: join(into, name), bytes: await readFile(join(into, name)) };
  };
  return { folder, files, pack };
}

it('packs the same files into the same bytes, whatever their dates and modes', async () => {
  const { folder, files, pack } = await workspace();
  const first = await pack();

  for (const name of Object.keys(files)) {
    await utimes(join(folder, name), 1, 1);
    await chmod(join(folder, name), 0o600);
  }
  const second = await pack();

  expect(second.name).toBe(first.name);
  expect(second.bytes.equals(first.bytes)).toBe(true);
  const { stdout } = await run('tar', ['tzvf', second.path], { env: { ...process.env, TZ: 'UTC' } });
  const entries = stdout
    .trim()
    .split('\n')
    .map((line) => line.split(/\s+/));
  expect(entries.map((parts) => [parts[0], parts.at(-1)])).toEqual([
    ['-rw-r--r--', 'package/CHANGELOG.md'],
    ['-rw-r--r--', 'package/LICENSE'],
    ['-rw-r--r--', 'package/README.md'],
    ['-rwxr-xr-x', 'package/dist/cli.mjs'],
    ['-rw-r--r--', 'package/dist/index.mjs'],
    ['-rw-r--r--', 'package/dist/schemas/schema.json'],
    ['-rw-r--r--', 'package/package.json'],
  ]);
});

it('gives other bytes than the recorded ones a different version', async () => {
  const { folder, pack } = await workspace();
  const unreleased = await pack();
  const released = await pack('--record');

  await writeFile(join(folder, 'dist/index.mjs'), 'export const changed = true');
  const changed = await pack();
  const { stdout } = await run('tar', ['xzOf', changed.path, 'package/package.json']);
  await writeFile(join(folder, 'dist/index.mjs'), 'export {}');
  const again = await pack();

  expect(unreleased.name).toMatch(/^trust-directory-sdk-0\.1\.0-dev-[0-9a-f]{12}\.tgz$/);
  expect(released.name).toBe('trust-directory-sdk-0.1.0.tgz');
  const releases = JSON.parse(await readFile(join(folder, 'releases.json'), 'utf8'));
  expect(releases).toEqual({ '0.1.0': createHash('sha256').update(released.bytes).digest('hex') });
  expect(changed.name).toMatch(/^trust-directory-sdk-0\.1\.1-dev-[0-9a-f]{12}\.tgz$/);
  expect(`trust-directory-sdk-${JSON.parse(stdout).version}.tgz`).toBe(changed.name);
  expect(again.name).toBe(released.name);
  expect(again.bytes.equals(released.bytes)).toBe(true);
});

it('says which files are missing if the SDK is not built', async () => {
  const { folder, pack } = await workspace();
  await rm(join(folder, 'CHANGELOG.md'));

  await expect(pack()).rejects.toThrow('The SDK is not built: CHANGELOG.md is missing. Run: npm run build');
});
