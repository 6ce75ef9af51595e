import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser, type TestBrowser } from '../testing/browser/chromium.ts';
import { openTestSite, type TestSite } from '../testing/browser/test-site.ts';
import { openVisitor, type Visitor } from '../testing/browser/visit-page.ts';
import { CONSOLE_PAGES, type ConsolePage } from './testing/console-paths.ts';
import { type FurnishedConsole, furnishConsole } from './testing/furnish-console.ts';

let site: TestSite;
let chromium: TestBrowser;
let world: FurnishedConsole;
let visitors: Record<ConsolePage['who'], Visitor>;

beforeAll(async () => {
  [site, chromium] = await Promise.all([openTestSite(), openBrowser()]);
  world = await furnishConsole(site.database);
  visitors = { owner: await signedIn(world.owner), newcomer: await signedIn(world.newcomer) };
});
afterAll(async () => {
  await chromium.close();
  await site.close();
});

/** A window of its own with somebody's cookie. */
async function signedIn(cookie: string): Promise<Visitor> {
  const visitor = await openVisitor(chromium.browser, site.url);
  const [name = '', value = ''] = cookie.split('=');
  await visitor.page.context().addCookies([{ name, value, url: site.url }]);
  return visitor;
}

describe('every page of the console', () => {
  it.each(CONSOLE_PAGES.map((page) => [page.name, page] as const))(
    '%s is light, quiet, open to everybody and looks as it was last looked at',
    async (name, { who, path }) => {
      const { bytes, requests, ...faults } = await visitors[who].visit(`console-${name}`, path(world));

      expect(faults).toEqual({ troubles: [], layout: [], barriers: [], pictures: [] });
      expect(bytes).toBeLessThan(100_000);
      expect(requests.length).toBeLessThanOrEqual(3);
    },
  );
});
