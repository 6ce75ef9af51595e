import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { serializeContract } from '../../server/src/platform/http/contract/flatten-contract.ts';
import { expectRecipe, RECIPES } from './recipes.ts';

const run = promisify(execFile);
const sdk = fileURLToPath(new URL('..', import.meta.url));
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-mock-'));
  const { PATH, HOME } = process.env;
  env = { PATH, HOME, MOCK_PORT: '0' };
  const tarballs = await Promise.all([
    packSdk(join(folder, 'package')),
    pack(join(modules, 'openapi-fetch')),
    pack(join(modules, 'openapi-typescript-helpers')),
  ]);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'prototype', private: true }));
  const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...quiet, ...tarballs], { cwd: folder });
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Builds the package in a separate folder, because other tests may read the workspace's build, and packs it. */
async function packSdk(to: string): Promise<string> {
  await run(join(modules, '.bin', 'tsdown'), ['--out-dir', join(to, 'dist'), '--no-clean'], { cwd: sdk });
  await Promise.all(['package.json', 'README.md'].map((name) => cp(join(sdk, name), join(to, name))));
  return pack(to);
}

async function pack(from: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', from, '--ignore-scripts', '--json'], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}

/** Installs Prism by linking the workspace's packages. */
async function installPeers(): Promise<void> {
  const { peerDependencies } = JSON.parse(await readFile(join(sdk, 'package.json'), 'utf8'));
  for (const peer of Object.keys(peerDependencies).filter((name) => name.startsWith('@stoplight/'))) {
    const place = join(folder, 'node_modules', peer);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(modules, peer), place, 'dir');
  }
}

function start(): { child: ChildProcess; ready: Promise<string>; ended: Promise<number | null> } {
  const child = spawn('npx', ['--offline', '@trust-directory/sdk', 'mock', '--json'], {
    cwd: folder,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const ready = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const url = /"url": "(http:\S+)"/.exec(text)?.[1];
      if (url) resolve(url);
    });
    child.once('close', (code) => reject(new Error(`the mock ended with ${code}: ${text}`)));
  });
  return { child, ready, ended: new Promise((resolve) => child.once('close', resolve)) };
}

describe('the packed package in a folder of its own', () => {
  it('says in one line what to install without Prism', async () => {
    const failure = await run('npx', ['--offline', '@trust-directory/sdk', 'mock'], {
      cwd: folder,
      env,
    }).catch((error) => error);

    expect(failure.code).toBe(2);
    expect(failure.stderr).toContain('The mock needs Prism, which is not installed.');
    expect(failure.stderr).toMatch(
      /^npm install --save-dev @trust-directory\/sdk( @stoplight\/prism-[a-z-]+@[\d.]+){3}$/m,
    );
    expect(failure.stderr).not.toMatch(/^ +at /m);
  });

  it('does everything else without Prism', async () => {
    const { stdout } = await run('npx', ['--offline', '@trust-directory/sdk', '--version'], {
      cwd: folder,
      env,
    });

    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('responds to every recipe by its own copy of the contract', async () => {
    await installPeers();
    const { child, ready, ended } = start();
    try {
      const url = await ready;
      for (const recipe of RECIPES) await expectRecipe(url, recipe);
    } finally {
      process.kill(-(child.pid ?? 0), 'SIGTERM');
      await ended;
    }
  });

  it('ships the contract of the project unchanged, and the form of it that its server makes for code generators', async () => {
    const shipped = join(folder, 'node_modules', '@trust-directory', 'sdk', 'dist');

    const [copy, json, original] = await Promise.all([
      readFile(join(shipped, 'openapi.yaml'), 'utf8'),
      readFile(join(shipped, 'openapi.json'), 'utf8'),
      readFile(join(sdk, '..', 'openapi.yaml'), 'utf8'),
    ]);

    expect(copy).toBe(original);
    expect(json).toBe(serializeContract(parse(original)));
  });
});
