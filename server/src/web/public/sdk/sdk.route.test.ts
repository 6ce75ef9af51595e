import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createPublicUrls } from '../../../catalog/subjects/public-path.ts';
import { findSdkPackages, registerSdkDownloads, type SdkSources } from './sdk.route.ts';

const CURRENT = 'trust-directory-sdk-1.2.0.tgz';
const LINE = `npm install https://trust.example/sdk/${CURRENT}`;
const publicUrls = createPublicUrls('https://trust.example');

async function folderOf(files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trust-directory-sdk-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  return folder;
}

async function sourcesOf(more: Partial<SdkSources> = {}): Promise<SdkSources> {
  const built = await folderOf({ [CURRENT]: 'current', 'secret.tgz': 'secret' });
  const earlier = await folderOf({
    'trust-directory-sdk-1.1.0.tgz': 'earlier',
    [CURRENT]: 'another current',
    'trust-directory-sdk-1.0.0-dev-0123abcd.tgz': 'development',
  });
  return { built, earlier, installFrom: 'server', ...more };
}

async function serverOf(more?: Partial<SdkSources>) {
  const app = Fastify();
  registerSdkDownloads(app, findSdkPackages(await sourcesOf(more), publicUrls));
  onTestFinished(() => app.close());
  return app;
}

describe('/sdk/', () => {
  it.each([
    [CURRENT, 'current'],
    ['trust-directory-sdk-1.1.0.tgz', 'earlier'],
    ['trust-directory-sdk-1.0.0-dev-0123abcd.tgz', 'development'],
  ])('serves %s, cacheable forever', async (file, body) => {
    const answer = await (await serverOf()).inject(`/sdk/${file}`);

    expect([answer.statusCode, answer.body]).toEqual([200, body]);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    });
  });

  it.each([
    'trust-directory-sdk-9.9.9.tgz',
    'secret.tgz',
    '..%2F..%2Fpackage.json',
    'trust-directory-sdk-1.0.0-..%2F..%2F..%2Fsecret.tgz',
    'trust-directory-sdk-1.0.0-%00.tgz',
  ])('answers an unknown package with a 404 that has the install command: %s', async (file) => {
    const answer = await (await serverOf()).inject(`/sdk/${file}`);

    expect(answer.statusCode).toBe(404);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.body).toBe(
      `This server has no such package of the SDK. Install the current one:\n\n${LINE}\n`,
    );
  });

  it('says what to do if the server was built without the SDK', async () => {
    const answer = await (await serverOf({ built: '/nonexistent' })).inject(`/sdk/${CURRENT}x`);

    expect([answer.statusCode, answer.body]).toEqual([
      404,
      expect.stringContaining('run "npm run build" and start it again'),
    ]);
  });
});

describe('the command that installs the SDK', () => {
  it('names a package of this server, or the registry if so configured', async () => {
    const lineOf = async (more: Partial<SdkSources>) =>
      findSdkPackages(await sourcesOf(more), publicUrls).installLine;

    expect(await lineOf({})).toBe(LINE);
    expect(await lineOf({ installFrom: 'registry' })).toBe('npm install @trust-directory/sdk');
    expect(await lineOf({ built: '/nonexistent' })).toBeNull();
  });

  it('fails if the folder of earlier versions does not exist', async () => {
    const sources = await sourcesOf({ earlier: '/nonexistent' });

    expect(() => findSdkPackages(sources, publicUrls)).toThrow(
      'SDK_RELEASES_DIR is /nonexistent, which is not a folder. Create it',
    );
  });
});
