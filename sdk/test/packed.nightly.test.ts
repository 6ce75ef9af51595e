import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkTypes } from './elsewhere/check-types.ts';
import { installSdk, linkPeers, MODULES } from './packed-package.ts';
import { freshRun, KEY, operationError } from './samples.ts';
import { standIn } from './stand-in.ts';

const run = promisify(execFile);
const tsc = join(MODULES, 'typescript', 'bin', 'tsc');

/** Program that uses the client and prints the results; its imports of `TrustDirectory` and `NotFoundError` come first. */
const PROGRAM = `
const client = new TrustDirectory();
const request = { operation: 'agent_score', subject: 'a/b' };
(async () => {
  const run = await client.operations.run(request);
  const error = await client.operations.run(request).catch((reason) => reason);
  const body = { ...request, idempotency_key: 'order-1' };
  const { response } = await rawOf(client).POST('/api/svc/operations/run', { body });
  console.log(JSON.stringify([run.result.scores.trustScore, error instanceof NotFoundError, error.name, response.status]));
})();
`;

/** Program that compiles only if the package's types are found, complete and as documented. */
const TYPED_PROGRAM = `
export async function main(): Promise<number> {
  const client: TrustDirectory = new TrustDirectory({ timeoutMs: 1_000, fetch: (url, init) => fetch(url, init) });
  const run = await client.operations.run({ operation: 'agent_skill_lineage', subject: 'a/b' }).catch((error: unknown) => {
    throw error instanceof NotFoundError ? new Error(error.requestId ?? 'none') : error;
  });
  // @ts-expect-error
  run.result.lineage;
  if (!run.result) return 0;
  const edges: string[] = run.result.lineage.relationships.map(({ type }) => type);
  return run.result.scores.trustScore + edges.length;
}
`;

/** Entry points with an export of each and their peers. */
const ENTRIES = [
  ['@trust-directory/sdk', 'consoleOf', []],
  ['@trust-directory/sdk/directory', 'listAgents', []],
  ['@trust-directory/sdk/testing', 'handlers', ['msw']],
  ['@trust-directory/sdk/zod', 'agentSchema', ['zod']],
] as const;

let folder: string;
let tarball: Buffer;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-sdk-'));
  tarball = await readFile(await installSdk(folder));
  await linkPeers(folder, ...ENTRIES.flatMap(([, , peers]) => peers));
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

async function runProgram(name: string, source: string): Promise<unknown> {
  const server = await standIn(
    { body: freshRun },
    { status: 404, body: operationError('subject_not_found') },
  );
  await writeFile(join(folder, name), source);
  const env = { ...process.env, TRUST_DIRECTORY_URL: server.url, TRUST_DIRECTORY_API_KEY: KEY };
  const { stdout } = await run(process.execPath, [name], { cwd: folder, env });
  expect(server.seen.map(({ authorization }) => authorization)).toEqual(Array(3).fill(`Bearer ${KEY}`));
  return JSON.parse(stdout);
}

/** Returns the compiler errors. */
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
  it('contains only build, manifest and documents', async () => {
    const installed = join(folder, 'node_modules', '@trust-directory', 'sdk');

    const files = (await readdir(installed, { recursive: true })).sort();

    const built = /^dist\/[\w-]+\.(mjs|cjs|d\.mts|d\.cts|mjs\.map|cjs\.map)$/;
    const others = files.filter((name) => !built.test(name) && !name.startsWith('dist/schemas'));
    expect(others).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'dist/THIRD-PARTY-LICENSES.txt',
      'dist/openapi.json',
      'dist/openapi.yaml',
      'dist/policy.schema.json',
      'package.json',
    ]);
    // The main entry points, and the chunks that they share.
    const core = ['index.mjs', 'index.cjs', 'directory.mjs', 'directory.cjs'];
    for (const name of core) {
      const code = await readFile(join(installed, 'dist', name), 'utf8');
      for (const [, chunk = ''] of code.matchAll(/(?:from |require\()["']\.\/([^"']+)["']/g))
        if (!core.includes(chunk)) core.push(chunk);
      expect(code).not.toMatch(/^(?!\s*\*).*(from |require\()["'](?!openapi-fetch|\.\/)/m);
    }
    expect(core.length).toBeGreaterThan(4);
  });

  it('references only existing source maps', async () => {
    const dist = join(folder, 'node_modules', '@trust-directory', 'sdk', 'dist');
    const files = await readdir(dist);

    const missing: string[] = [];
    for (const name of files.filter((each) => /\.[cm]?(js|ts)$/.test(each))) {
      const text = await readFile(join(dist, name), 'utf8');
      const [, map] = /^\/\/# sourceMappingURL=(.+)$/m.exec(text) ?? [];
      if (map && !files.includes(map)) missing.push(`${name}: ${map}`);
    }

    expect(missing).toEqual([]);
  });

  it('is published with public access and provenance', async () => {
    const description = JSON.parse(await readFile(join(folder, 'package', 'package.json'), 'utf8'));

    expect(description.publishConfig).toEqual({ access: 'public', provenance: true });
  });

  it('passes publint', async () => {
    const pack = { tarball: Uint8Array.from(tarball).buffer };

    expect((await publint({ pack, strict: true })).messages).toEqual([]);
  });

  it('resolves with correct types for every way to import it', async ({ skip }) => {
    expect(await checkTypes(tarball, skip)).toEqual([]);
  });

  it.each(ENTRIES)('offers %s as ESM and as CommonJS', async (entry, name) => {
    const programs = {
      'entry.mjs': `import * as entry from '${entry}'; console.log(typeof entry.${name})`,
      'entry.cjs': `console.log(typeof require('${entry}').${name})`,
    };

    for (const [file, source] of Object.entries(programs)) {
      await writeFile(join(folder, file), source);
      const { stdout } = await run(process.execPath, [file], { cwd: folder });
      expect(stdout).toMatch(/^(function|object)$/m);
    }
  });

  it('shares error classes between entry points', async () => {
    const source = `
      import * as index from '@trust-directory/sdk';
      import * as directory from '@trust-directory/sdk/directory';
      const error = await directory.getAgent('AGT-7K2MQ9XD', { baseUrl: 'http://127.0.0.1:2', maxRetries: 0 }).catch((e) => e);
      console.log(error instanceof index.ConnectionError, index.NotFoundError === directory.NotFoundError);
    `;
    await writeFile(join(folder, 'classes.mjs'), source);

    expect((await run(process.execPath, ['classes.mjs'], { cwd: folder })).stdout).toBe('true true\n');
  });

  it('is imported from an ES module', async () => {
    const source = `import { NotFoundError, rawOf, TrustDirectory } from '@trust-directory/sdk';${PROGRAM}`;

    expect(await runProgram('program.mjs', source)).toEqual([60.8, true, 'NotFoundError', 404]);
  });

  it('is required from a CommonJS module', async () => {
    const source = `const { NotFoundError, rawOf, TrustDirectory } = require('@trust-directory/sdk');${PROGRAM}`;

    expect(await runProgram('program.cjs', source)).toEqual([60.8, true, 'NotFoundError', 404]);
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
        typeRoots: [join(MODULES, '@types')],
        skipLibCheck: true,
      },
    ],
  ])('has types that %s compiles against', async (_, name, options) => {
    const source = `import { NotFoundError, TrustDirectory } from '@trust-directory/sdk';${TYPED_PROGRAM}`;

    expect(await complaints(name, source, options)).toBe('');
  });
});
