import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itAtNight } from '../../../testing/at-night.ts';
import { openBrowser, type TestBrowser } from '../../../testing/browser/chromium.ts';
import { openTestSite, type TestSite } from '../../../testing/browser/test-site.ts';
import { openVisitor, type Visitor } from '../../../testing/browser/visit-page.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';
import { makeDirectoryWorld } from '../../../testing/pages/directory-world.ts';
import { makeHijackedListing } from '../../../testing/pages/hijacked-listing.ts';
import { PUBLIC_PAGES } from '../../../testing/pages/page-paths.ts';

let site: TestSite;
let chromium: TestBrowser;
let visitor: Visitor;

beforeAll(async () => {
  [site, chromium] = await Promise.all([openTestSite(), openBrowser()]);
  await makeDirectoryWorld(site.database);
  visitor = await openVisitor(chromium.browser, site.url);
});
afterAll(async () => {
  await chromium.close();
  await site.close();
});

/** Name and path of each page. The path of the page with a warning is a function that first creates its listing. */
const PAGES: [name: string, path: () => string | Promise<string>][] = [
  ...Object.entries(PUBLIC_PAGES).map(([name, path]): [string, () => string] => [name, () => path]),
  ['warning', () => makeHijackedListing(site.database)],
];

describe('every public page', () => {
  it.each(sampleUnlessNightly(PAGES, ([name]) => name === 'search'))(
    '%s is small, logs no errors, is accessible, and looks like its stored pictures',
    async (name, path) => {
      const { bytes, requests, ...faults } = await visitor.visit(name, await path());

      expect(faults).toEqual({ troubles: [], layout: [], barriers: [], pictures: [] });
      expect(bytes).toBeLessThan(100_000);
      expect(requests.length).toBeLessThanOrEqual(3);
    },
  );
});

itAtNight('low contrast that exists only in the dark scheme is reported once', async () => {
  const { layout, barriers } = await visitor.visit('dimmed', PUBLIC_PAGES.agent ?? '', async (page) => {
    await page.evaluate(() => {
      const rule = '@media (prefers-color-scheme: dark) { footer a { color: #3a3a3a !important } }';
      document.styleSheets[0]?.insertRule(rule);
    });
  });

  expect(layout).toEqual([]);
  expect(barriers).toHaveLength(1);
  expect(barriers[0]).toMatch(/^dark: color-contrast: <a /);
});
