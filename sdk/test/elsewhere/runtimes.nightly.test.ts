import { execFile } from 'node:child_process';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { directoryError, freshRun, KEY, operationError, page, subject } from '../samples.ts';
import { type StandIn, standIn } from '../stand-in.ts';
import { binaryOf, needChromium } from './binary-of.ts';
import { DIST, importsOf, modulesOf } from './published-modules.ts';
import { runInChromium } from './run-in-chromium.ts';
import { startWorker } from './start-worker.ts';

const run = promisify(execFile);
const FOLDER = fileURLToPath(new URL('./', import.meta.url));
const MAIN = join(FOLDER, 'main.mjs');

/** Starts a stub service for the program: two pages, a look-up, a run that fails once, and an unknown id. */
const service = (): Promise<StandIn> =>
  standIn(
    { body: page },
    { body: { ...page, nextCursor: 'Mg' } },
    { body: page },
    { body: subject },
    { status: 503, body: operationError('unavailable'), headers: { 'retry-after': '0' } },
    { body: freshRun },
    { status: 404, body: directoryError(404, 'not_found') },
  );

/** Expected output of the program. */
const SEEN = {
  total: 1,
  names: ['Changelog Agent', 'Changelog Agent'],
  trust: 60.8,
  attempts: 2,
  error: 'NotFoundError',
  isOurs: true,
};

/** Expects that only the two attempts of the run carry the access key, both with the same idempotency key. */
function expectOneRun({ seen }: StandIn): void {
  const [first, second] = seen.slice(4, 6);
  expect(first?.body.idempotency_key).toMatch(/^[\da-f-]{36}$/);
  expect(second?.body).toEqual(first?.body);
  const withKey = seen.map(({ authorization }) => authorization);
  const key = `Bearer ${KEY}`;
  expect(withKey).toEqual([undefined, undefined, undefined, undefined, key, key, undefined]);
}

describe('the built package', () => {
  it('runs in Deno with network permission only', async ({ skip }) => {
    const binary = binaryOf('deno', skip);
    const server = await service();
    const { host } = new URL(server.url);

    const may = ['--no-prompt', '--allow-read', `--allow-net=${host}`];
    const { stdout } = await run(binary, ['run', ...may, MAIN, server.url, KEY]);

    expect(JSON.parse(stdout)).toEqual(SEEN);
    expectOneRun(server);
  });

  it('runs in Bun', async ({ skip }) => {
    const binary = binaryOf('bun', skip);
    const server = await service();

    const { stdout } = await run(binary, ['run', MAIN, server.url, KEY]);

    expect(JSON.parse(stdout)).toEqual(SEEN);
    expectOneRun(server);
  });

  it('runs in an edge worker', async ({ skip }) => {
    const binary = binaryOf('workerd', skip);
    const server = await service();
    const modules = ['worker.mjs', 'program.mjs'].map((name) => [name, join(FOLDER, name)] as const);
    const url = await startWorker(binary, modules, { BASE_URL: server.url, API_KEY: KEY });

    const answer = await fetch(url);

    expect(await answer.json()).toEqual(SEEN);
    expectOneRun(server);
  });

  it('runs in a browser, without a bundler', async ({ skip }) => {
    needChromium(skip);
    const server = await service();

    expect(await runInChromium(server.url, KEY)).toEqual(SEEN);
    expectOneRun(server);
  });

  it('imports one package and no Node module in its core', () => {
    const imported = modulesOf('index.mjs').flatMap((name) => importsOf(join(DIST, name)));

    expect(new Set(imported.filter((name) => !name.startsWith('./')))).toEqual(new Set(['openapi-fetch']));
    expect(imported.filter((name) => isBuiltin(name))).toEqual([]);
  });
});
