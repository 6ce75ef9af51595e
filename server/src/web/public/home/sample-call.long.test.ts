import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../../../testing/browser/chromium.ts';
import { openTestSite, type TestSite } from '../../../../testing/browser/test-site.ts';
import { makeDirectoryWorld } from '../../../../testing/pages/directory-world.ts';

let site: TestSite;
let chromium: TestBrowser;

beforeAll(async () => {
  [site, chromium] = await Promise.all([openTestSite(), openBrowser()]);
  await makeDirectoryWorld(site.database);
});
afterAll(async () => {
  await chromium?.close();
  await site?.close();
});

it('the call shown to developers works as copied, and returns the response shown below it', async () => {
  const page = await chromium.browser.newPage();
  await page.goto(site.url);
  const [call = '', shown = ''] = await page.locator('.developers pre').allTextContents();

  const { stdout } = await promisify(execFile)('sh', ['-euc', call.replace(/^curl /, 'curl -sSf ')], {
    env: { PATH: process.env.PATH, NO_PROXY: '*' },
  });

  expect(JSON.parse(stdout)).toMatchObject(JSON.parse(shown.replace(',\n  …', '')));
  await page.close();
});
