import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../testing/at-night.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { sampleUnlessNightly } from '../testing/nightly.ts';
import { packagesIn, recordLoads } from '../testing/recorded-loads.ts';
import { runCommand } from '../testing/run-command.ts';
import { startServer } from '../testing/server-process.ts';

let test: TestDatabase;
let folder: string;

beforeAll(async () => {
  test = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), 'trust-directory-loads-'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await test.close();
});

/** Lists the packages that an operator's command loads. */
async function packagesOf(line: string): Promise<string[]> {
  const file = join(folder, `${line}.txt`);
  const env = { DATABASE_URL: test.url, NODE_OPTIONS: recordLoads(file) };
  expect(await runCommand(line.split(' '), env)).toMatchObject({ code: 0, stderr: '' });
  return packagesIn(file);
}

describe('a start on an existing database', () => {
  it('loads no package needed only by a first start, a request or a setting', async () => {
    const file = join(folder, 'start.txt');
    const env = { DATABASE_URL: test.url, NODE_OPTIONS: recordLoads(file) };
    const server = await startServer(env, { entry: 'real', cwd: folder });

    const loaded = packagesIn(file);
    const docs = await fetch(`${server.baseUrl}/docs`);
    const loadedLater = packagesIn(file);
    await server.end('SIGTERM');

    // With its dependencies, each takes 5 to 400 ms of a start.
    const later = [
      '@resvg/resvg-js',
      'fastify-openapi-glue',
      'ioredis',
      'marked',
      'openid-client',
      'pg-copy-streams',
      'prom-client',
      'tldts',
      '@opentelemetry/api',
    ];
    expect(loaded).toEqual(expect.arrayContaining(['fastify', 'sequelize']));
    expect(loaded.filter((name) => [...later, 'umzug', 'undici', 'yaml'].includes(name))).toEqual([]);
    expect([docs.status, loadedLater.includes('marked')]).toEqual([200, true]);
  });
});

describe('a command of the operator', () => {
  const HELP = ['--help', 'keys create --help', 'recompute --help'];

  it.each(sampleUnlessNightly(HELP, (line) => line.startsWith('keys')))(
    'that only prints help (%s) loads nothing of the server',
    async (line) => {
      expect(await packagesOf(line)).toEqual(['commander']);
    },
  );

  itAtNight('loads nothing of the pages and the API', async () => {
    const loaded = await packagesOf('accounts create --handle example-labs');

    expect(loaded).toEqual(expect.arrayContaining(['commander', 'pg', 'sequelize']));
    const others = ['fastify', 'marked', 'pino', 'preact', 'umzug', 'undici', 'yaml'];
    expect(loaded.filter((name) => others.includes(name))).toEqual([]);
  });
});
