import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../../testing/browser/chromium.ts';
import { findBarriers } from '../../../testing/browser/find-barriers.ts';
import { findLayoutFaults } from '../../../testing/browser/layout-faults.ts';
import { openTestSite, type TestSite } from '../../../testing/browser/test-site.ts';
import { type PageTroubles, watchPage } from '../../../testing/browser/watch-page.ts';
import { loadContract } from '../../http/contract/contract.ts';
import { indexReference } from './reference-index.ts';

let site: TestSite;
let chromium: TestBrowser;
let page: Page;
let troubles: PageTroubles;

beforeAll(async () => {
  [site, chromium] = await Promise.all([openTestSite(), openBrowser()]);
  page = await chromium.browser.newPage({ viewport: { width: 1440, height: 900 } });
  troubles = await watchPage(page, site.url);
});
afterAll(async () => {
  await chromium.close();
  await site.close();
});

const contract = loadContract();
// What this service itself calls is described with the rest.
const operations = indexReference(contract).flatMap(({ endpoints }) => endpoints);
const drawn = () => page.waitForSelector('#reference[data-state=drawn]');
const countOf = (selector: string) => page.locator(selector).count();
const groundOf = (selector: string) =>
  page.locator(selector).evaluate((element) => getComputedStyle(element).backgroundColor);

describe('the API reference', () => {
  it('draws every operation of the contract, light and dark, and asks nobody but us for anything', async () => {
    let bytes = 0;
    page.on('response', (response) => (bytes += Number(response.headers()['content-length'])));

    await page.goto(`${site.url}/docs`);
    await drawn();
    const light = await groundOf('.menu-content');
    await page.emulateMedia({ colorScheme: 'dark' });

    await expect.poll(() => groundOf('.menu-content')).not.toBe(light);
    await drawn();
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThan(2_000_000);
    for (const { operationId } of operations)
      expect(await countOf(`[id="operation/${operationId}"]`)).toBe(1);
    expect(operations).toHaveLength(contract.operations.length + 1);
    expect(await countOf('h1:visible')).toBe(1);
    expect(troubles.take()).toEqual([]);
  });

  it('opens at the operation that an address names', async () => {
    await page.goto(`${site.url}/docs?#operation/getReceipt`);
    await drawn();

    await page.waitForFunction(() => {
      const top = document.getElementById('operation/getReceipt')?.getBoundingClientRect().top;
      return top !== undefined && Math.abs(top) < 200;
    });
    expect(troubles.take()).toEqual([]);
  });

  it('shows how each operation is called with the SDK and with curl, at this address', async () => {
    const section = page.locator('[id="operation/runOperation"]');
    await page.goto(`${site.url}/docs?#operation/runOperation`);
    await drawn();

    for (const label of ['TypeScript', 'curl'])
      expect(await page.getByRole('tab', { name: label, exact: true }).count()).toBe(
        contract.operations.length,
      );
    expect(await section.getByText('client.operations.run(').first().isVisible()).toBe(true);
    // The panel's own dark ground: the colours of the words are made for it.
    expect(await groundOf('[id="operation/runOperation"] pre >> nth=0')).toBe('rgba(0, 0, 0, 0)');
    await section.getByRole('tab', { name: 'curl', exact: true }).click();
    expect(await section.getByText(`curl ${site.url}/api/svc/operations/run`).isVisible()).toBe(true);
    expect(troubles.take()).toEqual([]);
  });

  it('fits a phone', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto(`${site.url}/docs`);
    await drawn();

    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  });

  it('lists every operation with its summary where no script runs', async () => {
    const context = await chromium.browser.newContext({ javaScriptEnabled: false });
    const plain = await context.newPage();

    await plain.goto(`${site.url}/docs#operation/runOperation`);

    for (const { operationId, path } of operations) {
      expect(await plain.locator(`[id="operation/${operationId}"]`).textContent()).toContain(path);
    }
    expect(await plain.locator('main a[href="/openapi.yaml"]').count()).toBe(1);
    expect(await plain.locator('main a[href="/openapi.json"]').count()).toBe(1);
    await context.close();
  });

  it('has no barrier in what is ours: the frame, and the list that stands where the renderer does not load', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${site.url}/docs`);
    await drawn();
    const frame = await findBarriers(page, 'all', ['#reference']);
    await page.route('**/assets/docs-*.js', (route) => route.abort());
    await page.goto(`${site.url}/docs`);
    const list = await findBarriers(page, 'all');
    const faults = await page.evaluate(findLayoutFaults);

    expect({ frame, list, faults }).toEqual({ frame: [], list: [], faults: [] });
  });
});
