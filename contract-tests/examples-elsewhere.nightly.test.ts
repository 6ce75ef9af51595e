import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { servePage } from '../examples/src/serve-browser-page.ts';
import { binaryOf, needChromium } from '../sdk/test/elsewhere/binary-of.ts';
import { openChromium } from '../sdk/test/elsewhere/run-in-chromium.ts';
import { startWorker } from '../sdk/test/elsewhere/start-worker.ts';
import { TARGETS, type Target } from './targets/target.ts';

/** Time limit for the start of a browser on a busy machine. */
const TIMEOUT_MS = 180_000;
const WORKER = fileURLToPath(new URL('../examples/dist/edge-worker.js', import.meta.url));

describe.each(TARGETS.map(({ name, start }) => [name, start] as const))('on the %s', (_name, start) => {
  let target: Target;
  beforeAll(async () => {
    target = await start(() => undefined);
  });
  afterAll(() => target?.stop());

  it(
    'the edge worker answers with a score that caches may keep',
    async ({ skip }) => {
      const workerd = binaryOf('workerd', skip);
      const { baseUrl, subject } = await target.given('a visitor with a key');
      const url = await startWorker(workerd, [['worker.mjs', WORKER]], { TRUST_DIRECTORY_URL: baseUrl });

      const [answer, refused] = await Promise.all([fetch(`${url}/?subject=${subject}`), fetch(url)]);

      expect(await answer.json()).toMatchObject({ trustScore: expect.any(Number), tier: expect.any(String) });
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
      expect(refused.status).toBe(400);
    },
    TIMEOUT_MS,
  );

  it(
    'the browser page searches, from another origin',
    async ({ skip }) => {
      needChromium(skip);
      const { baseUrl, words } = await target.given('a visitor with a key');
      const server = await servePage(0);
      onTestFinished(() => void server.close());
      const { port } = server.address() as AddressInfo;
      const page = await (await openChromium()).newPage();

      await page.goto(`http://127.0.0.1:${port}/examples/browser/index.html?directory=${baseUrl}`);
      await page.getByRole('searchbox').fill(words);
      await page.getByRole('button').click();

      await page.getByRole('listitem').first().waitFor({ timeout: 60_000 });
      expect(await page.getByRole('status').textContent()).toMatch(/^[1-9]\d* found$/);
      expect(await page.getByRole('listitem').first().textContent()).toMatch(/: trust \d/);
    },
    TIMEOUT_MS,
  );
});
