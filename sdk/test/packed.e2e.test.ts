import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freshRun, KEY, operationError } from './samples.ts';
import { standIn } from './stand-in.ts';

const run = promisify(execFile);
const sdk = fileURLToPath(new URL('..', import.meta.url));
const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));
const tsc = join(modules, 'typescript', 'bin', 'tsc');

/** Uses the client as a user would; prints what it saw. `TrustDirectory` and `NotFoundError` are imported above it. */
const PROGRAM = `
const client = new TrustDirectory();
const request = { operation: 'agent_score', subject: 'a/b' };
(async () => {
  const run = await client.operations.run(request);
  const error = await client.operations.run(request).catch((reason) => reason);
  console.log(JSON.stringify([run.result.scores.trustScore, error instanceof NotFoundError, error.name]));
})();
`;

/** Compiles only if the package's types are found, complete and as documented. */
const TYPED_PROGRAM = `
export async function main(): Promise<number> {
  const client: TrustDirectory = new TrustDirectory({ timeoutMs: 1_000, fetch: (request) => fetch(request) });
  const run = await client.operations.run({ operation: 'agent_skill_lineage', subject: 'a/b' }).catch((error: unknown) => {
    throw error instanceof NotFoundError ? new Error(error.requestId ?? 'none') : error;
  });
  // @ts-expect-error
  run.result.lineage;
  if (run.replayed) return 0;
  const edges: string[] = run.result.lineage.relationships.map(({ type }) => type);
  return run.result.scores.trustScore + edges.length;
}
`;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-sdk-'));
  const tarballs = await Promise.all([
    packSdk(join(folder, 'package')),
    pack(join(modules, 'openapi-fetch')),
    pack(join(modules, 'openapi-typescript-helpers')),
  ]);
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'consumer', private: true }));
  // With its dependencies given as files, the package installs without any registry.
  const quiet = ['--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['install', ...quiet, ...tarballs], { cwd: folder });
}, 60_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Builds the package beside the workspace's own build, which other tests may be reading, and packs it. */
async function packSdk(to: string): Promise<string> {
  const tsdown = join(modules, '.bin', 'tsdown');
  await run(tsdown, ['--out-dir', join(to, 'dist'), '--no-clean'], { cwd: sdk });
  await Promise.all(['package.json', 'README.md'].map((name) => cp(join(sdk, name), join(to, name))));
  return pack(to);
}

async function pack(from: string): Promise<string> {
  const { stdout } = await run('npm', ['pack', from, '--ignore-scripts', '--json'], { cwd: folder });
  const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
  return join(folder, filename);
}

async function runProgram(name: string, source: string): Promise<unknown> {
  const server = await standIn(
    { body: freshRun },
    { status: 404, body: operationError('subject_not_found') },
  );
  await writeFile(join(folder, name), source);
  const env = { ...process.env, TRUST_DIRECTORY_URL: server.url, TRUST_DIRECTORY_API_KEY: KEY };
  const { stdout } = await run(process.execPath, [name], { cwd: folder, env });
  expect(server.seen.map(({ authorization }) => authorization)).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
  return JSON.parse(stdout);
}

/** What the compiler complains about; empty where it is content. */
async function complaints(name: string, source: string, options: object): Promise<string> {
  await writeFile(join(folder, name), source);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2022',
    skipLibCheck: false,
    types: [],
    ...options,
  };
  const project = `tsconfig.${name}.json`;
  await writeFile(join(folder, project), JSON.stringify({ compilerOptions, files: [name] }));
  return run(process.execPath, [tsc, '--project', project], { cwd: folder }).then(
    ({ stdout }) => stdout,
    ({ stdout }: { stdout: string }) => stdout,
  );
}

describe('the published package', () => {
  it('holds its build, its description and nothing else', async () => {
    const installed = join(folder, 'node_modules', '@trust-directory', 'sdk');

    const files = await readdir(installed, { recursive: true });

    expect(files.sort()).toEqual(
      [
        'README.md',
        'dist',
        'dist/index.cjs',
        'dist/index.d.cts',
        'dist/index.d.mts',
        'dist/index.mjs',
        'package.json',
      ].sort(),
    );
    for (const name of ['index.mjs', 'index.cjs']) {
      const code = await readFile(join(installed, 'dist', name), 'utf8');
      expect(code).not.toMatch(/(from |require\()["'](?!openapi-fetch)/);
    }
  });

  it('is imported from an ES module', async () => {
    const source = `import { NotFoundError, TrustDirectory } from '@trust-directory/sdk';${PROGRAM}`;

    expect(await runProgram('program.mjs', source)).toEqual([60.8, true, 'NotFoundError']);
  });

  it('is required from a CommonJS module', async () => {
    const source = `const { NotFoundError, TrustDirectory } = require('@trust-directory/sdk');${PROGRAM}`;

    expect(await runProgram('program.cjs', source)).toEqual([60.8, true, 'NotFoundError']);
  });

  it.each([
    ['an ES module', 'typed.mts', { module: 'nodenext', lib: ['es2022', 'dom'] }],
    ['a CommonJS module', 'typed.cts', { module: 'nodenext', lib: ['es2022', 'dom'] }],
    [
      'a bundled module',
      'typed.ts',
      { module: 'esnext', moduleResolution: 'bundler', lib: ['es2022', 'dom'] },
    ],
    [
      'a Node program without the types of a browser',
      'node.mts',
      {
        module: 'nodenext',
        lib: ['es2022'],
        types: ['node'],
        typeRoots: [join(modules, '@types')],
        skipLibCheck: true,
      },
    ],
  ])('has types that %s compiles against', async (_, name, options) => {
    const source = `import { NotFoundError, TrustDirectory } from '@trust-directory/sdk';${TYPED_PROGRAM}`;

    expect(await complaints(name, source, options)).toBe('');
  });
});
