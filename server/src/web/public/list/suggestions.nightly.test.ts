import type { Page, Route } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../../../../testing/browser/chromium.ts';
import { findAccessibilityFaults } from '../../../../testing/browser/find-accessibility-faults.ts';
import { openTestSite, type TestSite } from '../../../../testing/browser/test-site.ts';
import { makeDirectoryWorld } from '../../../../testing/pages/directory-world.ts';

let site: TestSite;
let chromium: TestBrowser;

beforeAll(async () => {
  [site, chromium] = await Promise.all([openTestSite(), openBrowser()]);
  await makeDirectoryWorld(site.database);
});
afterAll(async () => {
  await chromium.close();
  await site.close();
});

async function open(path = '/agents', options: { colorScheme?: 'dark' } = {}) {
  const page = await chromium.browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  await page.goto(site.url + path);
  return page;
}

/** Fields of a suggestion as the server sends them. */
const SHOWN = { text: 'x', kind: 'skill', about: null, stars: null, verdict: null, path: '/' };

const field = (page: Page) => page.getByRole('combobox', { name: 'Search agents, skills and creators' });
const options = (page: Page) => page.getByRole('option');

async function type(page: Page, text: string): Promise<void> {
  await field(page).fill('');
  await field(page).pressSequentially(text);
  await options(page).first().waitFor();
}

/** Returns the field's attributes for screen readers. */
function told(page: Page) {
  return field(page).evaluate((input) => {
    const named = (attribute: string) => document.getElementById(input.getAttribute(attribute) ?? '');
    return {
      expanded: input.getAttribute('aria-expanded'),
      list: named('aria-controls')?.getAttribute('role'),
      active: named('aria-activedescendant')?.querySelector('bdi')?.textContent ?? null,
    };
  });
}

describe('suggestions while typing', () => {
  it('work with the keyboard and screen readers, and open the page', async () => {
    const page = await open();
    expect(await told(page)).toEqual({ expanded: 'false', list: 'listbox', active: null });

    await type(page, 'chan');
    expect(await told(page)).toEqual({ expanded: 'true', list: 'listbox', active: null });
    expect(
      await page
        .getByRole('status')
        .filter({ hasText: /^\d suggestions?$/ })
        .count(),
    ).toBe(1);
    await page.keyboard.press('ArrowDown');
    expect((await told(page)).active).toBe('Changelog Agent');
    await page.keyboard.press('ArrowUp');
    expect((await told(page)).active).toBeNull();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');

    await page.waitForURL('**/a/acme/changelog-agent');
    await page.close();
  });

  it('close on Escape and on blur, keep the typed text, and open again on ArrowDown', async () => {
    const page = await open();

    await type(page, 'chan');
    await page.keyboard.press('Escape');
    expect(await options(page).count()).toBe(0);
    expect(await told(page)).toEqual({ expanded: 'false', list: 'listbox', active: null });
    expect(await field(page).inputValue()).toBe('chan');
    await page.keyboard.press('ArrowDown');
    await options(page).first().waitFor();
    expect(await told(page)).toEqual({ expanded: 'true', list: 'listbox', active: null });
    await page.keyboard.press('ArrowDown');
    expect((await told(page)).active).toBe('Changelog Agent');
    await type(page, 'change');
    await page.keyboard.press('Tab');
    await options(page).first().waitFor({ state: 'detached' });
    await field(page).focus();
    await page.keyboard.press('Enter');

    await page.waitForURL('**/agents?q=change');
    await page.close();
  });

  it('are not shown on ArrowDown in an empty field', async () => {
    const page = await open();
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));

    await field(page).focus();
    await page.keyboard.press('ArrowDown');
    await type(page, 'chan');

    expect(asked.filter((path) => path === '/suggest')).toHaveLength(1);
    await page.close();
  });

  it('show what a listing is, its stars and its verdict', async () => {
    const page = await open();

    await type(page, 'changelog a');

    const option = options(page).filter({ hasText: 'Changelog Agent' });
    expect(await option.textContent()).toMatch(
      /^Changelog Agent agent · acme\/changelog-agent · [\d.k]+ stars · [A-Z][a-z ]+$/,
    );
    expect(await option.locator('.verdict').count()).toBe(1);
    await page.close();
  });

  it('correct a typing error, and search for the corrected text', async () => {
    const page = await open();

    await type(page, 'chnagelog');
    expect(await options(page).first().textContent()).toContain('corrected spelling');
    expect(await options(page).filter({ hasText: 'acme/changelog-agent' }).count()).toBe(1);
    await page.keyboard.press('ArrowDown');
    const text = (await told(page)).active ?? '';
    await page.keyboard.press('Enter');

    await page.waitForURL(`**/agents?${new URLSearchParams({ q: text })}`);
    expect(await page.locator('main .rows').textContent()).toContain('Changelog Agent');
    await page.close();
  });

  it.each([360, 1440])(
    'are no wider than the page at a width of %d, however long their texts',
    async (width) => {
      const page = await open();
      await page.setViewportSize({ width, height: 740 });
      const long = 'name'.repeat(40);
      await page.route('**/suggest?**', (route) =>
        route.fulfill({
          json: {
            suggestions: [
              { ...SHOWN, text: long, about: long, verdict: { state: 'warning', text: 'Warning' } },
              { ...SHOWN, text: '設計'.repeat(60) },
            ],
          },
        }),
      );

      await type(page, 'x');

      const widths = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
      expect(widths[0]).toBeLessThanOrEqual(widths[1] ?? 0);
      const boxes = await options(page).evaluateAll((shown) =>
        shown.map((each) => each.scrollWidth <= each.clientWidth),
      );
      expect(boxes).toEqual([true, true]);
      await page.close();
    },
  );

  it('open pages and category lists on a click', async () => {
    const page = await open();

    await type(page, 'codi');
    await options(page).filter({ hasText: 'category' }).click();

    await page.waitForURL('**/agents?category=coding');
    await page.close();
  });

  it('match the current text, even if an earlier response arrives late', async () => {
    const page = await open();
    const held: Route[] = [];
    await page.route('**/suggest?q=acm', (route) => void held.push(route));

    await field(page).pressSequentially('acm');
    await expect.poll(() => held.length).toBe(1);
    await type(page, 'chan');
    await held[0]?.fulfill({
      json: { suggestions: [{ ...SHOWN, text: 'late' }] },
    });

    expect(await options(page).first().textContent()).toContain('Changelog Agent');
    expect(await options(page).filter({ hasText: 'late' }).count()).toBe(0);
    await page.close();
  });

  it.each([429, 500])(
    'are not shown if the server answers %d, and the form still searches',
    async (status) => {
      const page = await open();
      await page.route('**/suggest?**', (route) => route.fulfill({ status, body: '{}' }));

      const answered = page.waitForResponse('**/suggest?**');
      await field(page).pressSequentially('chan');
      await answered;
      expect(await options(page).count()).toBe(0);
      await page.keyboard.press('Enter');

      await page.waitForURL('**/agents?q=chan');
      await page.close();
    },
  );

  it('escape names', async () => {
    const page = await open();
    const text = '<img src=x onerror=alert(1)>';
    await page.route('**/suggest?**', (route) =>
      route.fulfill({
        json: {
          suggestions: [
            { ...SHOWN, kind: text, text, about: text, stars: text, verdict: { state: text, text } },
          ],
        },
      }),
    );

    await type(page, 'x');

    expect(await options(page).locator('img').count()).toBe(0);
    expect(await options(page).textContent()).toContain(text);
    await page.close();
  });

  it.each([{}, { colorScheme: 'dark' as const }])('are accessible while open: %j', async (scheme) => {
    for (const path of ['/', '/agents']) {
      const page = await open(path, scheme);
      await field(page).first().pressSequentially('c');
      await options(page).first().waitFor();
      await page.keyboard.press('ArrowDown');

      expect(await findAccessibilityFaults(page, 'all')).toEqual([]);
      await page.close();
    }
  });
});
