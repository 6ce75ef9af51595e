import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeAtNight } from '../../../testing/at-night.ts';
import { openBrowser, type TestBrowser } from '../../../testing/browser/chromium.ts';
import { openTestSite, type TestSite } from '../../../testing/browser/test-site.ts';
import { openVisitor, type Visitor } from '../../../testing/browser/visit-page.ts';
import { CONSOLE_PAGES, type ConsolePage } from '../../../testing/console/console-paths.ts';
import { type FurnishedConsole, furnishConsole } from '../../../testing/console/furnish-console.ts';
import { makeAccount, makeSession } from '../../../testing/factories.ts';
import { sampleUnlessNightly } from '../../../testing/nightly.ts';

let site: TestSite;
let chromium: TestBrowser;
let world: FurnishedConsole;

beforeAll(async () => {
  [site, chromium] = await Promise.all([openTestSite(), openBrowser()]);
  world = await furnishConsole(site.database);
});
afterAll(async () => {
  await chromium.close();
  await site.close();
});

/** Opens a window with a person's cookie. */
async function signedIn(cookie: string, url: string = site.url): Promise<Visitor> {
  const visitor = await openVisitor(chromium.browser, url);
  const [name = '', value = ''] = cookie.split('=');
  await visitor.page.context().addCookies([{ name, value, url }]);
  return visitor;
}

const visitors: Partial<Record<ConsolePage['who'], Promise<Visitor>>> = {};

/** Returns the browser window of a person. All pages of this person are opened in the same window. */
function visitorOf(who: ConsolePage['who']): Promise<Visitor> {
  visitors[who] ??= signedIn(world[who]);
  return visitors[who];
}

const PAGES = sampleUnlessNightly(CONSOLE_PAGES, ({ name }) => name === 'keys');

describe('every page of the console', () => {
  it.each(PAGES.map((page) => [page.name, page] as const))(
    '%s is small, logs no errors, is accessible, and looks as it did when last reviewed',
    async (name, { who, path, act }) => {
      const { bytes, requests, ...faults } = await (await visitorOf(who)).visit(
        `console-${name}`,
        path(world),
        act,
      );

      expect(faults).toEqual({ troubles: [], layout: [], barriers: [], pictures: [] });
      expect(bytes).toBeLessThan(100_000);
      expect(requests.length).toBeLessThanOrEqual(3);
    },
  );
});

describeAtNight('a page of the console that cannot be shown', () => {
  it('shows unexpected failures and rate limits without faults in the browser', async () => {
    const troubled = await openTestSite({ RATE_LIMIT_READ_PER_MINUTE: '1' });
    const { accountId } = await makeAccount(troubled.database);
    const { cookie } = await makeSession(troubled.database, accountId);
    const visitor = await signedIn(cookie, troubled.url);
    await troubled.database.query('ALTER TABLE usage_run RENAME TO usage_gone');

    for (const [name, sentence] of [
      ['failed', 'Request failed'],
      ['too-many', 'Too many requests'],
    ] as const) {
      const { bytes, requests, ...faults } = await visitor.visit(`console-${name}`, '/console/receipts');

      expect(await visitor.page.textContent('h1')).toBe(sentence);
      expect(faults).toEqual({ troubles: [], layout: [], barriers: [], pictures: [] });
    }
    await troubled.close();
  });
});
