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

async function open(path = '/agents', options: { javaScriptEnabled?: boolean; colorScheme?: 'dark' } = {}) {
  const page = await chromium.browser.newPage({ viewport: { width: 1440, height: 900 }, ...options });
  await page.goto(site.url + path);
  return page;
}

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

  it('close on Escape and on blur, and keep the typed text', async () => {
    const page = await open();

    await type(page, 'chan');
    await page.keyboard.press('Escape');
    expect(await options(page).count()).toBe(0);
    expect(await told(page)).toEqual({ expanded: 'false', list: 'listbox', active: null });
    expect(await field(page).inputValue()).toBe('chan');
    await type(page, 'change');
    await page.keyboard.press('Tab');
    await options(page).first().waitFor({ state: 'detached' });
    await field(page).focus();
    await page.keyboard.press('Enter');

    await page.waitForURL('**/agents?q=change');
    await page.close();
  });

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
      json: { suggestions: [{ group: 'tag', text: 'late', about: null, path: '/' }] },
    });

    expect(await options(page).first().textContent()).toContain('Changelog Agent');
    expect(await options(page).filter({ hasText: 'late' }).count()).toBe(0);
    await page.close();
  });

  it.each([429, 500])('stay away where the server answers %d, and the form searches', async (status) => {
    const page = await open();
    await page.route('**/suggest?**', (route) => route.fulfill({ status, body: '{}' }));

    const answered = page.waitForResponse('**/suggest?**');
    await field(page).pressSequentially('chan');
    await answered;
    expect(await options(page).count()).toBe(0);
    await page.keyboard.press('Enter');

    await page.waitForURL('**/agents?q=chan');
    await page.close();
  });

  it('show any name as text', async () => {
    const page = await open();
    const text = '<img src=x onerror=alert(1)>';
    await page.route('**/suggest?**', (route) =>
      route.fulfill({ json: { suggestions: [{ group: 'listing', text, about: text, path: '/' }] } }),
    );

    await type(page, 'x');

    expect(await options(page).locator('img').count()).toBe(0);
    expect(await options(page).textContent()).toContain(text);
    await page.close();
  });

  it.each([{}, { colorScheme: 'dark' as const }])(
    'have no barrier while they are open: %j',
    async (scheme) => {
      for (const path of ['/', '/agents']) {
        const page = await open(path, scheme);
        await field(page).first().pressSequentially('c');
        await options(page).first().waitFor();
        await page.keyboard.press('ArrowDown');

        expect(await findAccessibilityFaults(page, 'all')).toEqual([]);
        await page.close();
      }
    },
  );

  it('are optional: without scripts the field searches', async () => {
    const page = await open('/agents', { javaScriptEnabled: false });

    await page.getByLabel('Search agents, skills and creators').fill('chan');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/agents?q=chan');

    expect(await page.locator('[role=listbox]').count()).toBe(0);
    await page.close();
  });
});
