import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { CHROMIUM } from './binary-of.ts';
import { DIST, OPENAPI_FETCH } from './published-modules.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Page without a bundler; an import map resolves the package. */
const PAGE = `<!doctype html><script type="importmap">${JSON.stringify({
  imports: { '@trust-directory/sdk': '/page/dist/index.mjs', 'openapi-fetch': '/page/openapi-fetch.mjs' },
})}</script>`;

/** Returns the file of a path under `/page/`. */
function fileOf(path: string): string {
  if (path === 'openapi-fetch.mjs') return OPENAPI_FETCH;
  const [name = ''] = path.split('/').slice(-1);
  return path.startsWith('dist/') ? join(DIST, name) : fileURLToPath(new URL(name, import.meta.url));
}

/** Starts a headless browser, which ends with the test. */
export async function openChromium(): Promise<Browser> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: FLAGS });
  onTestFinished(() => browser.close());
  return browser;
}

/** Runs the program in a page of the service at this URL and returns its output. */
export async function runInChromium(baseUrl: string, apiKey: string): Promise<unknown> {
  const page = await (await openChromium()).newPage();
  await page.route(`${baseUrl}/page/**`, async (route) => {
    const path = new URL(route.request().url()).pathname.slice('/page/'.length);
    if (path === '') return route.fulfill({ contentType: 'text/html', body: PAGE });
    return route.fulfill({ contentType: 'text/javascript', body: await readFile(fileOf(path)) });
  });
  await page.goto(`${baseUrl}/page/`);
  // Passed as text, because the test compiler would rewrite the import.
  const args = JSON.stringify([baseUrl, apiKey]);
  return page.evaluate(`import('${baseUrl}/page/program.mjs').then(({ program }) => program(...${args}))`);
}
