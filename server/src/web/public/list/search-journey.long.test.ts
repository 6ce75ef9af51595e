import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../../testing/at-night.ts';
import { openBrowser, type TestBrowser } from '../../../../testing/browser/chromium.ts';
import { openTestSite, type TestSite } from '../../../../testing/browser/test-site.ts';
import { sampleUnlessNightly } from '../../../../testing/nightly.ts';
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

/** Windows by whether they run scripts; tests share them, because each new window starts a process. */
const windows = new Map<boolean, Page>();

/** Opens a page of the site, by default the home page. */
async function open(path = '/', javaScriptEnabled = true): Promise<Page> {
  const viewport = { width: 1440, height: 900 };
  const page =
    windows.get(javaScriptEnabled) ?? (await chromium.browser.newPage({ viewport, javaScriptEnabled }));
  windows.set(javaScriptEnabled, page);
  await page.setViewportSize(viewport);
  await page.goto(site.url + path);
  return page;
}

const heading = (page: Page) => page.locator('h1').textContent();
const names = (page: Page) => page.locator('main .rows :is(h2, h3)').allInnerTexts();
const address = (page: Page) => page.url().slice(site.url.length);

/** Presses Tab until the focus is on a link or button of that name. */
async function tabTo(page: Page, text: string): Promise<void> {
  for (let presses = 0; presses < 200; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    if (focused.startsWith(text)) return;
  }
  throw new Error(`the keyboard does not get to ${text}`);
}

describe('a person who looks for an agent', () => {
  itAtNight('finds it, its origin and its creator with the keyboard alone', async () => {
    const page = await open();

    await page.keyboard.press('/');
    await page.keyboard.type('changelog rele');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/agents?q=**');
    expect((await names(page))[0]).toBe('Changelog Agent');

    await tabTo(page, 'Changelog Agent');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/a/acme/changelog-agent');
    expect(await heading(page)).toBe('Changelog Agent');

    await tabTo(page, 'It is based on Harness');
    expect(await page.evaluate(() => document.activeElement?.closest('svg, details')?.tagName)).toBe('svg');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/a/openbench/harness');
    await tabTo(page, 'Changelog Agent');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/a/acme/changelog-agent');

    await tabTo(page, 'Acme Robotics');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/c/acme');
    expect(await heading(page)).toBe('Acme Robotics');
    expect(await names(page)).toEqual(['Changelog Agent']);
  });

  itAtNight(
    'moves through the drawing by keyboard in reading order, and finds the same entries in a list',
    async () => {
      const page = await open('/a/acme/changelog-agent');
      const drawing = page.locator('svg.family');
      const boxes = await drawing.locator('a').evaluateAll((links) =>
        links.map((link) => ({
          href: link.getAttribute('href') ?? '',
          says: link.querySelector('title')?.textContent ?? '',
          x: link.querySelector('rect')?.getBoundingClientRect().x ?? 0,
          y: link.querySelector('rect')?.getBoundingClientRect().y ?? 0,
        })),
      );
      const focused = () =>
        page.locator(':focus').evaluate((link) => ({
          href: link.getAttribute('href'),
          isSeen: getComputedStyle(link.querySelector('rect') ?? link).strokeWidth === '3px',
        }));

      await tabTo(page, boxes[0]?.says ?? '');
      const walked: (string | null)[] = [];
      for (const { href } of boxes) {
        expect(await focused()).toEqual({ href, isSeen: true });
        walked.push(href);
        await page.keyboard.press('Tab');
      }
      expect(await drawing.locator(':focus').count()).toBe(0);
      await page.keyboard.press('Shift+Tab');
      expect((await focused()).href).toBe(walked.at(-1));
      expect(boxes.length).toBeGreaterThan(3);
      expect(boxes).toEqual([...boxes].sort((one, two) => one.x - two.x || one.y - two.y));
      const lineage = page.getByRole('region', { name: 'Lineage' });
      for (const { href, says } of boxes) {
        expect(await drawing.getByRole('link', { name: says, exact: true }).count()).toBe(1);
        const listed = href.includes('?')
          ? `details :text("${says.split(':')[0]}")`
          : `details li a[href="${href}"]`;
        expect(await lineage.locator(listed).count()).toBeGreaterThan(0);
      }
    },
  );

  it('sees where the focus is, and can skip the header', async () => {
    const page = await open();

    await page.keyboard.press('Tab');
    const first = page.locator(':focus');
    expect((await first.textContent())?.trim()).toBe('Skip to content');
    expect(await first.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');

    expect(await page.locator(':focus').evaluate((element) => element.closest('main') !== null)).toBe(true);
  });

  itAtNight('filters, sorts and pages the list, and can share it by its URL', async () => {
    const page = await open();
    const choose = async (menu: string, choice: string) => {
      await page.locator('.filters summary', { hasText: menu }).click();
      const link = page.locator('.filters [open] a', { hasText: choice }).first();
      const count = /\d+$/.exec((await link.textContent()) ?? '')?.[0];
      await link.click();
      return Number(count);
    };

    await page.getByRole('link', { name: 'Browse', exact: true }).click();
    await page.waitForURL('**/agents');
    await choose('Type', 'skill');
    await page.waitForURL('**type=skill**');
    const offered = await choose('Category', 'coding');
    await page.waitForURL('**category=coding**');
    expect(await names(page)).toHaveLength(offered);
    await choose('Sort', 'Name');
    await page.waitForURL('**sort=name**');
    const sorted = await names(page);
    expect(sorted).toEqual([...sorted].sort((a, b) => a.toLowerCase().localeCompare(b.toLowerCase())));

    await page.getByRole('link', { name: 'Remove Category: coding' }).click();
    await page.waitForURL((url) => !url.searchParams.has('category'));
    const firstPage = await names(page);
    await page.getByRole('link', { name: 'Next' }).click();
    await page.waitForURL('**page=2**');
    const secondPage = await names(page);
    expect(secondPage.some((name) => firstPage.includes(name))).toBe(false);

    const other = await chromium.browser.newPage();
    await other.goto(page.url());
    expect(await names(other)).toEqual(secondPage);
    await other.close();
    await page.goBack();
    expect(await names(page)).toEqual(firstPage);
  });

  itAtNight(
    'opens one menu of filters at a time by keyboard, and closes it with Escape or a click elsewhere',
    async () => {
      const page = await open('/agents');
      const menus = page.locator('.filters [open] summary');

      await tabTo(page, 'Type');
      await page.keyboard.press('Enter');
      expect(await menus.allInnerTexts()).toEqual(['Type: any']);
      await tabTo(page, 'Category');
      await page.keyboard.press('Enter');
      expect(await menus.allInnerTexts()).toEqual(['Category: any']);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      expect(await menus.count()).toBe(0);
      expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Category: any');
      await page.keyboard.press('Enter');
      expect(await menus.count()).toBe(1);
      await page.locator('h1').click();

      expect(await menus.count()).toBe(0);
    },
  );

  itAtNight('sees the first result on the first screen of a phone', async () => {
    const page = await open();
    await page.setViewportSize({ width: 390, height: 844 });

    for (const path of ['/agents', '/agents?q=tool&type=skill&category=coding']) {
      await page.goto(site.url + path);
      const row = await page.locator('.rows > li').first().boundingBox();
      expect((row?.y ?? 844) + (row?.height ?? 0)).toBeLessThan(844);
    }
  });

  it('goes from a row to its category, its tags and its creator', async () => {
    const page = await open('/agents?q=changelog+release');
    const row = page.locator('.rows > li').first();

    await row.getByRole('link', { name: '#git' }).click();
    await page.waitForURL('**/agents?tag=git');
    expect(await names(page)).toEqual(['Changelog Agent']);
    await row.getByRole('link', { name: 'coding' }).click();
    await page.waitForURL('**/agents?category=coding');
    await page.goBack();
    await row.getByRole('link', { name: 'Acme Robotics' }).click();

    expect(address(page)).toBe('/c/acme');
  });

  it('selects two entries and compares them', async () => {
    const page = await open('/agents?q=tool&sort=name');
    const [first = '', second = ''] = await names(page);

    await page.getByRole('checkbox', { name: `compare ${first}`, exact: true }).check();
    await page.getByRole('checkbox', { name: `compare ${second}`, exact: true }).check();
    await page.getByRole('button', { name: 'Compare selected' }).click();
    await page.waitForURL('**/compare?pick=**');

    expect(await page.locator('table.compare thead h2').allInnerTexts()).toEqual([first, second]);
  });

  it('reaches the list by an old link', async () => {
    const page = await open('/?type=skill&sort=name&page=2');

    expect(address(page)).toBe('/agents?type=skill&sort=name&page=2');
  });

  itAtNight('needs no script for any of it', async () => {
    const page = await open('/', false);

    await page.getByLabel('Search agents, skills and creators').fill('changelog rele');
    await page.getByRole('button', { name: 'Check' }).click();
    expect(address(page)).toBe('/agents?q=changelog+rele');
    expect(await page.locator('[role=listbox]').count()).toBe(0);
    await page.locator('.filters summary', { hasText: 'Sort' }).click();
    await page.getByRole('link', { name: 'Name', exact: true }).click();
    expect(address(page)).toBe('/agents?q=changelog+rele&sort=name');
    await page.getByRole('link', { name: 'Changelog Agent' }).click();
    await page.locator('.family a', { hasText: 'Harness' }).click();
    expect(await heading(page)).toBe('Harness');
    await page.getByRole('link', { name: 'openbench' }).first().click();

    expect(address(page)).toBe('/c/openbench');
  });

  // The search by address must work with and without scripts. By day, only the test with scripts runs.
  it.each(sampleUnlessNightly([true, false], (hasScript) => hasScript))(
    'gets from an address directly to its page, with script: %s',
    async (javaScriptEnabled) => {
      const page = await open('/', javaScriptEnabled);
      const field = () => page.getByLabel('Search agents, skills and creators');

      await field().fill('https://github.com/Acme/Changelog-Agent/tree/main');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/a/acme/changelog-agent');
      expect(await heading(page)).toBe('Changelog Agent');

      // Search from the header of that page for an address that is not listed: the field keeps the address, and the page shows
      // the results for the words of the address.
      await field().fill('someone/changelog-agent');
      await page.keyboard.press('Enter');
      await page.waitForURL('**/agents?q=**');
      expect(await page.locator('.notice').textContent()).toContain(
        'No listing for someone/changelog-agent in the directory yet.',
      );
      expect(await field().inputValue()).toBe('someone/changelog-agent');
      expect(await names(page)).toContain('Changelog Agent');
    },
  );

  itAtNight('copies a snippet with one button', async () => {
    const page = await open('/a/acme/changelog-agent');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

    await page.getByRole('button', { name: 'Copy curl' }).click();

    await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(
      /^curl 'http.*\/api\/agents\/AGT-/,
    );
  });
});
