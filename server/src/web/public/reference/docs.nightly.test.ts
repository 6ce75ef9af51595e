import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../../../testing/browser/chromium.ts';
import { openTestSite, type TestSite } from '../../../../testing/browser/test-site.ts';
import { type PageTroubles, watchPage } from '../../../../testing/browser/watch-page.ts';
import { sampleUnlessNightly } from '../../../../testing/nightly.ts';

let site: TestSite;
let chromium: TestBrowser;
let page: Page;
let troubles: PageTroubles;

beforeAll(async () => {
  [site, chromium] = await Promise.all([openTestSite(), openBrowser()]);
  page = await chromium.browser.newPage({ viewport: { width: 1280, height: 900 } });
  troubles = await watchPage(page, site.url);
});
afterAll(async () => {
  await chromium?.close();
  await site?.close();
});

/** Pages whose layout must not shift while they load. */
const STEADY = ['/docs', '/docs/runOperation', '/docs/errors', '/docs?q=key', '/pricing'];

/** Script that sums up the layout shifts of a page in `window.shifted`, from the start of loading. */
const NOTE_SHIFTS = `window.shifted = 0;
new PerformanceObserver((list) => {
  for (const { value } of list.getEntries()) window.shifted += value;
}).observe({ type: 'layout-shift', buffered: true });`;

describe('the documentation in a browser', () => {
  it.each(sampleUnlessNightly(STEADY, (path) => path === '/docs/runOperation'))(
    '%s has no layout shift, wide or narrow, and its content security policy blocks nothing',
    async (path) => {
      for (const width of [360, 1280]) {
        const fresh = await chromium.browser.newPage({ viewport: { width, height: 800 } });
        const seen = await watchPage(fresh, site.url);
        await fresh.addInitScript(NOTE_SHIFTS);
        await fresh.goto(`${site.url}${path}`, { waitUntil: 'load' });
        // Wait two frames, so that all script changes are laid out.
        await fresh.evaluate(
          () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
        );

        expect(await fresh.evaluate('window.shifted')).toBeLessThan(0.02);
        expect(seen.take()).toEqual([]);
        await fresh.close();
      }
    },
  );

  it('shows a call in one language at a time, by keyboard', async () => {
    await page.goto(`${site.url}/docs/getAgent`);
    const curl = page.getByText(`curl ${site.url}/api/agents/`, { exact: false });
    const typescript = page.getByText('client.agents.get(', { exact: false });
    expect([await curl.isVisible(), await typescript.isVisible()]).toEqual([true, false]);

    await page.getByRole('radio', { name: 'curl' }).focus();
    await page.keyboard.press('ArrowRight');

    expect([await curl.isVisible(), await typescript.isVisible()]).toEqual([false, true]);
    expect(troubles.take()).toEqual([]);
  });

  it('filters the list of pages while a person types, and searches all texts on Enter', async () => {
    await page.goto(`${site.url}/docs`);
    const field = page.getByRole('searchbox', { name: 'Search the documentation' });
    const entries = page.locator('#docs-list li:visible');
    const all = await entries.count();

    await field.fill('access key');

    expect(await entries.allTextContents()).toEqual([
      'Page through your access keys',
      'Create an access key, or replace one',
      'Revoke an access key',
      'Limit what an access key may spend',
      'Pause an access key',
      'Resume a paused access key',
    ]);
    await field.fill('');
    expect(await entries.count()).toBe(all);
    await field.fill('idempotency');
    await field.press('Enter');
    await page.waitForURL('**/docs?q=idempotency');
    // Two endpoints have this parameter, so select the result of the metered call.
    await page.locator('main a[href$="/docs/runOperation#body-idempotency_key"]').first().click();
    await page.waitForURL('**/docs/runOperation#body-idempotency_key');
    expect(troubles.take()).toEqual([]);
  });

  it('copies a call unchanged', async () => {
    const context = await chromium.browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const own = await context.newPage();
    await own.goto(`${site.url}/docs/runOperation`);

    await own.getByRole('button', { name: 'Copy the call in curl' }).click();
    await own.getByRole('button', { name: 'Copy the call in curl' }).getByText('Copied').waitFor();

    const copied = await own.evaluate(() => navigator.clipboard.readText());
    expect(copied).toMatch(/^curl http:\/\/127\.0\.0\.1:\d+\/api\/svc\/operations\/run \\\n/);
    expect(copied).toContain('"operation": "agent_score"');
    await context.close();
  });

  it('works without a script: search, samples in both languages, and links of an older release', async () => {
    const context = await chromium.browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();
    await plain.goto(`${site.url}/docs#operation/getReceipt`);
    expect(await plain.locator('[id="operation/getReceipt"]').textContent()).toContain(
      '/api/receipts/{ledger_id}',
    );

    await plain.getByRole('searchbox', { name: 'Search the documentation' }).fill('receipt');
    await plain.keyboard.press('Enter');
    await plain.waitForURL('**/docs?q=receipt');
    await plain.locator('article').getByRole('link', { name: 'Read one receipt' }).click();
    await plain.getByRole('radio', { name: 'TypeScript' }).check();

    expect(await plain.getByText('client.receipts.get(ledgerId)').isVisible()).toBe(true);
    await context.close();
  });
});
